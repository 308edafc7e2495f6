"""The listening study: people rate descriptions in context, and metrics are held against them."""
