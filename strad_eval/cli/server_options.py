"""Options of commands that ask a model behind HTTP."""

from __future__ import annotations

import json
from typing import Annotated, Any, TypeAlias

import typer

from strad.errors import InputError

Key: TypeAlias = Annotated[
    str | None, typer.Option("--key", envvar="STRAD_EVAL_KEY", help="Its key.", show_default=False)
]
AtOnce: TypeAlias = Annotated[
    int, typer.Option(min=1, max=256, help="Questions to a server at once.")
]
Extra: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="JSON",
        help="Members for each request, such as"
        ' \'{"chat_template_kwargs": {"enable_thinking": false}}\'.',
    ),
]


def members(extra: str) -> dict[str, Any]:
    """What --extra says. Raises InputError for what is no JSON object."""
    try:
        found = json.loads(extra) if extra else {}
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError("--extra: not a JSON object")
    return found
