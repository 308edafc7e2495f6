"""The ``strad`` command line: one file a command."""

from service.cli.main import main

__all__ = ["main"]
