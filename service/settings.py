"""The service's settings: frozen dataclasses, a table each. ``configuration`` reads them."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field, fields
from ipaddress import ip_address
from urllib.parse import urlsplit

from service.loopback import is_loopback
from strad.errors import InputError

SECRET = {"secret": True}
"""Metadata of a field whose value is never printed."""

LEAST_SECRET = 32
"""Characters of a shared secret: as many bytes as HS256 has (RFC 7518, section 3.2)."""

ORIGIN_SCHEMES = ("http", "https", "chrome-extension")


def check_least(table: object, *, zero: Collection[str] = ()) -> None:
    """Raises InputError for a whole number below 1 or another below 0.001; ``zero`` may be 0."""
    for each in fields(table):  # type: ignore[arg-type]
        value = getattr(table, each.name)
        if each.type not in ("int", "float"):
            continue
        least = 0 if each.name in zero else 1 if each.type == "int" else 0.001
        if not math.isfinite(value) or value < least:
            raise InputError(f"setting {each.name} must be at least {least}, not {value}")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of anything there may be. Times are wall seconds."""

    streams: int = 8
    """How many may be live at once, those that wait for their publisher (`grace`) among them."""
    viewers: int = 200
    """How many may watch one stream, or wait for streams to come."""
    hello: float = 10.0
    """How soon a publisher must say hello."""
    silence: float = 60.0
    """A publisher that says nothing for so long is gone."""
    stall: float = 10.0
    """A viewer that takes nothing for so long is dropped."""
    grace: float = 60.0
    """How long a stream waits for a publisher that went away to come back, before it is ended."""
    drain: float = 20.0
    """How long a stream whose media has ended may take to say the rest."""
    max_message: int = 1024 * 1024
    """The longest message taken from a socket, in bytes."""
    max_body: int = 256 * 1024
    """The longest body of an HTTP request, in bytes; uploads have their own limit."""
    max_log: int = 5_000
    """How many messages of one stream are kept, for viewers who come late."""
    remembered: int = 32
    """How many ended streams are kept."""

    def __post_init__(self) -> None:
        check_least(self)


@dataclass(frozen=True, slots=True)
class Auth:
    """Who may do what. Without ``keys``, ``secret`` and ``jwks``: anybody, on loopback only."""

    keys: str = ""
    """A file of API keys, made by `strad keys new`."""
    secret: str = field(default="", metadata=SECRET)
    """The shared secret of HS256 tokens, at least 32 characters."""
    jwks: str = ""
    """The public keys of RS256 tokens: a JWKS file, or its http(s) URL."""
    issuer: str = ""
    """What a token's `iss` must be. Needed for tokens."""
    audience: str = ""
    """What a token's `aud` must hold. Needed for tokens."""
    leeway: float = 10.0
    """Seconds by which clocks may differ."""
    origins: tuple[str, ...] = ()
    """Web pages that may use the service, beside loopback's: https://player.example.org."""
    wait: float = 5.0
    """How soon, in seconds, a connection without credentials must send its auth message."""
    ticket_seconds: float = 30.0
    """How long a ticket may wait to be used."""
    cookie_seconds: float = 3_600.0
    """How long a viewer's cookie lasts."""
    ticket_secret: str = field(default="", metadata=SECRET)
    """What signs tickets and cookies, the same for all replicas; empty: made at start."""
    streams: int = 8
    """How many streams one caller may have live at once, where its key says nothing else."""
    viewers: int = 1_000
    """How many connections one caller may watch with at once."""
    requests: float = 50.0
    """How many requests a second one caller may make; twice as many at once."""
    metrics: str = "admin"
    """Who may read `/metrics` where callers show who they are: `admin`, or `open` to anybody."""

    def __post_init__(self) -> None:
        check_least(self, zero=("leeway",))
        for name in ("secret", "ticket_secret"):
            if 0 < len(getattr(self, name)) < LEAST_SECRET:
                raise InputError(f"setting auth.{name} needs at least {LEAST_SECRET} characters")
        if self.metrics not in ("open", "admin"):
            raise InputError(f"setting auth.metrics must be open or admin, not {self.metrics!r}")
        if self.secret and self.jwks:
            raise InputError("set auth.secret or auth.jwks, not both: tokens are signed in one way")
        if (self.secret or self.jwks) and not (self.issuer and self.audience):
            raise InputError(
                "with auth.secret or auth.jwks, auth.issuer and auth.audience must be set"
            )
        for origin in self.origins:
            _check_origin(origin, "auth.origins")

    @property
    def on(self) -> bool:
        """Whether callers must show who they are."""
        return bool(self.keys or self.secret or self.jwks)


@dataclass(frozen=True, slots=True)
class Pull:
    """Fetching media from URLs that callers name."""

    on: bool = True
    """Whether it is done at all."""
    allow: tuple[str, ...] = ()
    """Host names, addresses or networks that may be fetched from though they are not public."""
    connect: float = 10.0
    """Seconds until a connection stands and an answer begins."""
    silence: float = 30.0
    """Seconds without a byte after which a source is gone."""
    redirects: int = 5
    reconnects: int = 5
    """How often in a row a source that broke off is asked again."""
    max_playlist: int = 1024 * 1024
    """Bytes."""
    max_segment: int = 64 * 1024 * 1024
    """Bytes."""

    def __post_init__(self) -> None:
        check_least(self, zero=("redirects", "reconnects"))


@dataclass(frozen=True, slots=True)
class Jobs:
    """Describing whole files in the background."""

    folder: str = ""
    """Where uploads and results are kept, by one service alone; empty: in the platform's cache
    folder."""
    at_once: int = 1
    """How many are worked on at once."""
    waiting: int = 16
    """How many may wait; more are refused."""
    kept: int = 100
    """How many finished ones are kept."""
    days: float = 7.0
    """How long a finished one is kept."""
    max_upload: int = 2 * 1024**3
    """Bytes of one file, uploaded or fetched."""
    upload_seconds: float = 3_600.0
    """How long one file may take to come."""

    def __post_init__(self) -> None:
        check_least(self)


@dataclass(frozen=True, slots=True)
class Player:
    """The page at `/player/`."""

    media: tuple[str, ...] = ()
    """Origins it may play video from, beside the service's own: https://cdn.example.org."""

    def __post_init__(self) -> None:
        for origin in self.media:
            _check_origin(origin, "player.media")


@dataclass(frozen=True, slots=True)
class Speech:
    """Descriptions as sound, for viewers who choose the service's voice over their browser's."""

    program: str = ""
    """What speaks, run as a program of its own: `espeak-ng` or `piper`; empty: nothing does."""
    voice: str = ""
    """A voice of espeak-ng's (empty: that of each language), or piper's .onnx file."""
    at_once: int = 1
    """How many descriptions are made into sound at once; each is made once."""
    waiting: int = 16
    """How many more may wait; others are refused."""
    seconds: float = 10.0
    """How long one may take."""
    kept: int = 32 * 1024 * 1024
    """Bytes of sound that are kept."""

    def __post_init__(self) -> None:
        check_least(self, zero=("waiting", "kept"))
        if self.program not in ("", "espeak-ng", "piper"):
            raise InputError(
                f"setting speech.program must be espeak-ng or piper, not {self.program!r}"
            )
        if self.program == "piper" and not self.voice:
            raise InputError("with speech.program piper, speech.voice must name its .onnx file")
        if self.voice.startswith("-"):
            raise InputError(f"setting speech.voice is no voice: {self.voice!r}")

    @property
    def on(self) -> bool:
        """Whether the service offers sound."""
        return bool(self.program)


@dataclass(frozen=True, slots=True)
class Admission:
    """When one more stream would be too much, by what those there are cost."""

    on: bool = True
    """Whether it is judged at all; `limits.streams` holds in any case."""
    cpu: float = 0.95
    """Processor time of the process and its decoders, of the cores it may use."""
    listening: float = 0.9
    """Time of the threads that transcribe."""
    decide: float = 0.95
    """Seconds of an answer over the stride and the answers in flight, mean of all streams."""
    loop: float = 0.5
    """Seconds by which the event loop turns late."""
    memory: float = 0.92
    """Of the machine's or the container's memory."""
    settling: int = 0
    """How many streams may begin within ten seconds, before it is known what they cost; 0: four for
    each core, and at least 8."""

    def __post_init__(self) -> None:
        check_least(self, zero=("settling",))


@dataclass(frozen=True, slots=True)
class Settings:
    """All of them: a line of `strad.toml` each, and a table for each dataclass among them."""

    host: str = "127.0.0.1"
    """The address to listen on. Off loopback it needs `auth`."""
    port: int = 8000
    """0 takes any that is free."""
    describer: str = ""
    """Which describer a stream gets that asks for none; empty: with `engine` or `preset` `strad-ft`
    where the model has its own file or a `profile` is set, else `strad-zero`; without, `facts`."""
    delay: float = 12.0
    """Seconds that viewers play behind the live edge, where the publisher says nothing."""
    log: str = "memory:"
    """Where the event log is kept: `memory:`, `sqlite:PATH` (in a folder that is there) or
    `redis://HOST:PORT/DB`."""
    models: str = ""
    """A folder of the operator's own model files, looked into first."""
    cache: str = ""
    """Where joined model files are kept; empty: the platform's cache folder."""
    asr: str = "base"
    """The speech model, by name or folder; ``off``: no words, only voice activity."""
    names: str = ""
    """More host names it is asked for by, with commas between: those of a proxy in front."""
    engine: str = ""
    """What `strad-ft` and `strad-zero` run in: `openai:URL`, `vllm` or `transformers`."""
    engine_key: str = field(default="", metadata=SECRET)
    """The key of an engine behind a URL."""
    engine_server: str = ""
    """What serves at that URL, where it hides it: `vllm`, `llama-server`, `other`; empty: asked."""
    model: str = ""
    """Their model: as its server calls it, or a folder, or a name of the hub."""
    model_file: str = ""
    """What its training says of the model, a `strad-model.json`; empty: the one in its folder."""
    profile: str = ""
    """How the model is asked, as it was trained; empty: what its file or its name says."""
    threshold: str = ""
    """Log-odds of AD against WAIT from which it is said; empty: what its file says, else 0."""
    in_flight: int = 0
    """How many windows of a stream the model may work on at once; 0: as many as help."""
    calls: int = 3
    """How many requests `strad-zero` makes of a window: 3, or 1 for all stages in one."""
    preset: str = ""
    """A way to run a model on a machine without a GPU: `cpu` or `llama`."""
    record: str = ""
    """A folder to record each stream to (`strad explain`, `strad rerun`); empty: none is. It holds
    what was heard: only this user can open it, and nothing deletes it."""
    record_what: str = "facts"
    """`facts`: no prompts; `prompts`: what the model was asked and answered, too. Never media."""
    log_format: str = "text"
    """What log lines are written as: `text` or `json`."""
    traces: bool = False
    """Whether traces are sent by OpenTelemetry; where to is said by `OTEL_` variables."""
    hand_over: bool = True
    """When stopped: leave streams to other replicas, where the log outlives this process."""
    limits: Limits = Limits()
    admission: Admission = Admission()
    auth: Auth = Auth()
    pull: Pull = Pull()
    jobs: Jobs = Jobs()
    player: Player = Player()
    speech: Speech = Speech()

    def __post_init__(self) -> None:
        if not _is_address(self.host):
            raise InputError(
                f"setting host must be localhost or an address such as 127.0.0.1, not {self.host!r}"
            )
        if not math.isfinite(self.delay) or not 0 <= self.delay <= 120:
            raise InputError(f"setting delay must be 0 to 120 seconds, not {self.delay}")
        if self.in_flight < 0:
            raise InputError(f"setting in_flight must be 0 or more, not {self.in_flight}")
        if self.calls not in (1, 3):
            raise InputError(f"setting calls must be 3 or 1, not {self.calls}")
        if self.threshold and not _is_number(self.threshold):
            raise InputError(f"setting threshold must be a number, not {self.threshold!r}")
        _check_one_of("engine_server", self.engine_server, ("", "vllm", "llama-server", "other"))
        _check_one_of("log_format", self.log_format, ("text", "json"))
        _check_one_of("record_what", self.record_what, ("facts", "prompts"))
        if not 0 <= self.port <= 65_535:
            raise InputError(f"setting port must be 0 to 65535, not {self.port}")

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach the service."""
        return is_loopback(self.host)


def _check_one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InputError(f"setting {name} must be {' or '.join(known)}, not {value!r}")


def _is_address(host: str) -> bool:
    try:
        return host == "localhost" or bool(ip_address(host))
    except ValueError:
        return False


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _check_origin(origin: str, name: str) -> None:
    try:
        parts = urlsplit(origin)
        right = parts.scheme in ORIGIN_SCHEMES and bool(parts.hostname)
    except ValueError:
        right = False
    if not right or origin.count("/") != 2:
        raise InputError(
            f"setting {name} holds {origin!r}: an origin is like https://player.example.org"
        )
