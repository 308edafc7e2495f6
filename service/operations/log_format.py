"""Log lines: for people, or one JSON object a line for what collects them."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TextIO

FIELDS = ("stream", "peer", "code")
"""What a line may hold beside its message, as ``extra`` gives it. Never what was said."""

TEXT = "%(asctime)s %(levelname)s %(message)s"


class JsonFormatter(logging.Formatter):
    """``time`` (UTC), ``level``, ``logger``, ``message``; then the fields; then an ``error``."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, object] = {
            "time": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up_logging(kind: str, out: TextIO | None = None) -> None:
    """Have all of the process's log lines written to ``out``, by default stderr."""
    handler = logging.StreamHandler(out or sys.stderr)
    handler.setFormatter(JsonFormatter() if kind == "json" else logging.Formatter(TEXT))
    root = logging.getLogger()
    for earlier in list(root.handlers):
        if type(earlier) is logging.StreamHandler:
            root.removeHandler(earlier)
    root.addHandler(handler)
    root.setLevel(logging.INFO)
