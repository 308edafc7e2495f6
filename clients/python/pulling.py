"""Have the service fetch a URL itself, and describe what is there as a live stream."""

from __future__ import annotations

from contextlib import suppress

import httpx

from clients.python.address import StreamAddress
from clients.python.course import Course
from strad.errors import InputError, PeerGoneError, StradError
from strad.wire.answering import Error
from strad.wire.message import Message
from strad.wire.publishing import Hello

START_LIMIT = 60.0
"""Seconds the service may take to have media flow."""

STOP_LIMIT = 5.0


async def pull(address: StreamAddress, url: str, hello: Hello, course: Course) -> None:
    """Until the stream is over. Cancelled before, it has the service stop.

    Of ``hello`` everything counts but what only a publisher can say. Raises PeerGoneError, or why
    the service refuses.
    """
    async with open_http(address) as http:
        await ask(http, "POST", "/v1/streams", START_LIMIT, _wanted(address, url, hello))
        course.began.set()
        try:
            await course.over.wait()
        finally:
            if not course.over.is_set():
                with suppress(StradError):  # it has ended by itself, or the service is gone
                    await ask(http, "DELETE", f"/v1/streams/{address.name}", STOP_LIMIT)


def _wanted(address: StreamAddress, url: str, hello: Hello) -> dict[str, object]:
    fields = {"language", "delay", "stride", "describer", "gaps", "transcript"}
    said = hello.model_dump(mode="json", include=fields, exclude_none=True)
    return {"stream": address.name, "url": url, **said}


def open_http(address: StreamAddress) -> httpx.AsyncClient:
    """A client for the service of a stream, with its key. Raises InputError: no host's name."""
    base = "http" + address.service.removeprefix("ws")
    headers = {"Authorization": f"Bearer {address.token}"} if address.token else {}
    try:
        _ = httpx.URL(base).host  # decoded only when it is read
    except (httpx.InvalidURL, UnicodeError):
        raise InputError(f"{base}: no host is called so") from None
    return httpx.AsyncClient(base_url=base, headers=headers, trust_env=not address.on_loopback)


async def ask(
    http: httpx.AsyncClient, method: str, path: str, limit: float, body: object = None
) -> str:
    """What is answered. Raises what the refusal says, PeerGoneError where nothing answers."""
    try:
        answer = await http.request(method, path, json=body, timeout=limit)
    except httpx.HTTPError as error:
        what = str(error) or "no answer"
        raise PeerGoneError(f"can't reach the service at {http.base_url}: {what}") from None
    if answer.is_error:
        raise _refusal(answer).as_exception()
    return answer.text


class _Refusal(Message):
    code: str = "failed"
    message: str = ""


def _refusal(answer: httpx.Response) -> Error:
    try:
        said = _Refusal.model_validate_json(answer.content)
    except ValueError:
        said = _Refusal()
    return Error(code=said.code, message=said.message or f"the service says {answer.status_code}")
