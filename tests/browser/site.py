"""A small web site on loopback: pages and media, in pieces where a player asks for them."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KINDS = {"html": "text/html; charset=utf-8", "webm": "video/webm"}


class Site(ThreadingHTTPServer):
    """Serves files by their paths without the leading slash."""

    daemon_threads = True

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.files = files

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that leaves in the middle is no fault."""


class Answer(BaseHTTPRequestHandler):
    """Whole, or the part that was asked for."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        assert isinstance(self.server, Site)
        path = self.path.partition("?")[0].lstrip("/")
        data = self.server.files.get(path)
        if data is None:
            self._send(404, b"", {})
            return
        kind = {"Content-Type": KINDS.get(path.rpartition(".")[2], "application/json")}
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if wanted is None:
            self._send(200, data, kind | {"Accept-Ranges": "bytes"})
            return
        first = int(wanted[1])
        last = min(int(wanted[2] or len(data) - 1), len(data) - 1)
        span = {"Content-Range": f"bytes {first}-{last}/{len(data)}"}
        self._send(206, data[first : last + 1], kind | span)

    def _send(self, status: int, data: bytes, more: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**more, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def site(files: Mapping[str, bytes]) -> Iterator[str]:
    """Gives its address, ``http://…/``. What is put into ``files`` later is served too."""
    server = Site(files)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()
