"""A model in this process, by PyTorch and transformers (extra ``local``)."""
