"""A page that is served until Ctrl-C."""

from __future__ import annotations

from rich.console import Console

from question_generation.pages.server import PageServer, Site


def serve(site: Site, port: int, what: str) -> None:
    """Serve it. Raises InputError where the port is taken."""
    with PageServer(site, port) as server:
        console = Console(stderr=True)
        console.print(f"{what} at {server.url} until Ctrl-C.", markup=False)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            console.print("Ended. Everything is kept.", markup=False)
