"""A real chat server on loopback, in a thread, for commands that run their own event loop."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


@dataclass(slots=True)
class ChatThread:
    """Where it is, and what it was asked."""

    url: str = ""
    asked: list[Body] = field(default_factory=list)


@contextmanager
def answering(say: Callable[[Body], str | int]) -> Iterator[ChatThread]:
    """Answers what ``say`` makes of each request's JSON; a number is an HTTP status."""
    server = ChatThread()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            server.asked.append(body)
            said = say(body)
            usage = {"prompt_tokens": 10, "completion_tokens": 2}
            answer = {"choices": [{"message": {"content": said}}], "usage": usage}
            data = json.dumps(answer if isinstance(said, str) else {"error": "no"}).encode()
            self.send_response(200 if isinstance(said, str) else said)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        server.url = f"http://127.0.0.1:{running.server_port}/v1"
        try:
            yield server
        finally:
            running.shutdown()
            thread.join(5)
