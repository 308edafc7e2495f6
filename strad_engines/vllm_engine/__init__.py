"""A model in this process, by vLLM (extra ``gpu``)."""
