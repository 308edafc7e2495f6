"""The control room: a page that shows what the service does, for whoever looks after it."""
