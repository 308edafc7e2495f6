"""The network edge: the service and the strad command line."""
