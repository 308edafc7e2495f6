"""The async Python client."""
