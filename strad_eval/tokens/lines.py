"""Line separators inside captions.

The tools of the papers read one caption a line: each of these shifts every later caption by one.
"""

from __future__ import annotations

import re

_SEPARATORS = re.compile("[\r\n\v\f\x00\x1c\x1d\x1e\x85\u2028\u2029]+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def one_line(text: str) -> str:
    """The text with every line separator, NUL and lone surrogate as a space."""
    return _LONE_SURROGATE.sub(" ", _SEPARATORS.sub(" ", text)).strip()


def ascii_only(text: str) -> str:
    """The text as densevid_eval and SODA see it: a space for every non-ASCII character."""
    return _NOT_ASCII.sub(" ", text)
