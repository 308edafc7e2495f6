"""Other tasks than the stream: whole documents, in several passes."""
