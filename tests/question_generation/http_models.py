"""Chat models behind real HTTP that do what any engines of the tests do."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from strad_engines.engine import ChatEngine
from strad_engines.messages import Image, Message, Part, Sampling, Text


class ModelServer(ThreadingHTTPServer):
    daemon_threads = True
    engines: Mapping[str, ChatEngine]
    asked: int = 0


class _Request(BaseHTTPRequestHandler):
    server: ModelServer

    def do_GET(self) -> None:
        known = self.path == "/v1/models"
        self._send(
            200 if known else 404,
            {"data": [{"id": name} for name in self.server.engines]} if known else {},
        )

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/v1/chat/completions":
            self._send(404, {})
            return
        self.server.asked += 1
        messages = [Message(one["role"], _parts(one["content"])) for one in body["messages"]]
        sampling = Sampling(body["max_tokens"], seed=body.get("seed"))
        given = asyncio.run(
            self.server.engines[body["model"]].generate(messages, sampling, deadline_s=30)
        )
        counts = {
            "prompt_tokens": given.prompt_tokens or 1,
            "completion_tokens": given.completion_tokens or 1,
        }
        said = {"message": {"content": given.text}, "finish_reason": given.finish}
        self._send(200, {"choices": [said], "usage": counts})

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""

    def _send(self, status: int, told: dict[str, Any]) -> None:
        data = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _parts(content: str | list[dict[str, Any]]) -> tuple[Part, ...]:
    """Words and pictures, as they came."""
    if isinstance(content, str):
        return (Text(content),)
    return tuple(_part(part) for part in content)


def _part(part: dict[str, Any]) -> Part:
    if part["type"] == "image_url":
        return Image(base64.b64decode(part["image_url"]["url"].partition(",")[2]))
    return Text(part.get("text", ""))


@contextmanager
def serving(engines: Mapping[str, ChatEngine]) -> Iterator[tuple[str, ModelServer]]:
    """Its URL, and what it was asked."""
    with ModelServer(("127.0.0.1", 0), _Request) as server:
        server.engines = engines
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1", server
        finally:
            server.shutdown()
            thread.join(10)
