"""API keys: long random texts. The file holds their SHA-256, so that reading it gives nobody one.

No salt or slow hash is needed: a key has 256 random bits, which no guessing finds.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from service.security.calendar import now
from service.security.caller import Caller, Quota, Scope
from service.settings import Auth
from strad.errors import FormatError, InputError, UnauthorizedError
from strad.text_file import read_text, write_text

PREFIX = "strad-key."
WRONG = "this key is not known here"
NOBODY = hashlib.sha256(b"").hexdigest()


class KeyRecord(BaseModel):
    """One key, as the file holds it. Never the key itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", repr=False)]
    name: Annotated[str, Field(max_length=100)] = ""
    """For people."""
    scopes: Annotated[tuple[Scope, ...], Field(min_length=1)]
    streams: tuple[Annotated[str, Field(pattern=r"^[A-Za-z0-9._*-]{1,64}$")], ...] = ("*",)
    created: datetime
    expires: Annotated[datetime | None, Field(description="With its offset from UTC.")] = None
    max_streams: Annotated[int | None, Field(ge=0)] = None
    max_viewers: Annotated[int | None, Field(ge=0)] = None
    max_requests: Annotated[float | None, Field(gt=0)] = None
    """A second."""

    def caller(self, auth: Auth) -> Caller:
        """Who comes with this key; ``auth`` says what the record doesn't."""
        quota = Quota(
            auth.streams if self.max_streams is None else self.max_streams,
            auth.viewers if self.max_viewers is None else self.max_viewers,
            auth.requests if self.max_requests is None else self.max_requests,
        )
        scopes = frozenset(self.scopes)
        return Caller(f"key:{self.id}", scopes, quota, self.streams, self.expires)


class KeyFile(BaseModel):
    """The whole file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    strad: Annotated[str, Field(pattern="^keys$")] = "keys"
    version: Annotated[int, Field(ge=1, le=1)] = 1
    keys: tuple[KeyRecord, ...] = ()


def new_key(
    scopes: Sequence[Scope],
    streams: Sequence[str] = ("*",),
    *,
    name: str = "",
    expires: datetime | None = None,
) -> tuple[str, KeyRecord]:
    """A fresh key, to be shown once, and its record."""
    made = secrets.token_hex(6)
    key = f"{PREFIX}{made}.{secrets.token_urlsafe(32)}"
    record = KeyRecord(
        id=made,
        sha256=_hash(key),
        name=name,
        scopes=tuple(scopes),
        streams=tuple(streams),
        created=now(),
        expires=expires,
    )
    return key, record


def read_keys(path: Path) -> tuple[KeyRecord, ...]:
    """Raises InputError, FormatError."""
    try:
        return KeyFile.model_validate_json(read_text(path)).keys
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        what = f"{where}: {first['msg']}" if where else f"no file of keys: {first['msg']}"
        raise FormatError(what, file=str(path)) from None


def write_keys(path: Path, records: Sequence[KeyRecord]) -> None:
    """Put ``records`` in place of the file, whole or not at all. Readable by its owner only."""
    text = KeyFile(keys=tuple(records)).model_dump_json(indent=2, exclude_none=True)
    write_text(path, text + "\n", overwrite=True)
    path.chmod(0o600)


class KeyRing:
    """The keys that hold now. Looks whether the file has changed, at most once a second."""

    def __init__(self, path: Path, auth: Auth) -> None:
        self._path = path
        self._auth = auth
        self._seen: tuple[int, int, int] | None = None
        self._looked = 0.0
        self.records: Mapping[str, KeyRecord] = {}
        """Those that hold, by id; another object whenever the file was read again."""
        self.complaint = ""
        """What is wrong with the file since it was last read; the keys read before still hold."""
        self._take()

    def find(self, key: str, at: float) -> Caller:
        """Who comes with ``key``, ``at`` being the loop's time. Raises UnauthorizedError."""
        self.look(at)
        record = self.records.get(key.removeprefix(PREFIX).partition(".")[0])
        right = hmac.compare_digest(_hash(key), record.sha256 if record else NOBODY)
        if record is None or not right:
            raise UnauthorizedError(WRONG)
        return record.caller(self._auth)

    def holds(self, caller: str, at: float) -> bool:
        """Whether the key of the caller with this id still holds."""
        self.look(at)
        return caller.removeprefix("key:") in self.records

    def look(self, at: float) -> None:
        """Read the file again where it has changed since; ``at``: the loop's time."""
        if at - self._looked < 1.0:
            return
        self._looked = at
        try:
            if self._mark() != self._seen:
                self._take()
            self.complaint = ""
        except OSError as error:
            self.complaint = (error.strerror or str(error)).lower()
        except InputError as error:
            self.complaint = str(error)

    def _take(self) -> None:
        records = read_keys(self._path)
        self._seen = self._mark()
        self.records = {record.id: record for record in records}

    def _mark(self) -> tuple[int, int, int]:
        seen = self._path.stat()
        return seen.st_mtime_ns, seen.st_size, seen.st_ino


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()
