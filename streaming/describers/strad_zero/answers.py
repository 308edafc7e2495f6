"""What the stages answer, read leniently; and the expressions that a server can hold them to. Pure.

Near misses are repaired: code fences, thoughts and talk around the answer, other quotation marks,
an answer that was cut, a bare sentence in place of the forms. Everything else is a wait that says
why. Nothing here raises.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from strad.decision import MAX_FORMS, Kind, WaitReason
from strad.speech import count_words
from streaming.describers.strad_zero.prompts import LENGTHS, NOTHING
from streaming.prompt.elements import clean
from streaming.prompt.line import AD, MOST_READ, MOST_TEXT, WAIT
from streaming.prompt.soundness import refuses, stammers, unfit

MOST_SEEN = 600
"""Characters of a caption."""
FEW = 6
"""Words of an answer that only says that nothing is seen."""

_THOUGHT = re.compile(r"<think>.*?(?:</think>|$)", re.DOTALL)
_FENCE = re.compile(r"```\w*")
_NOTHING = re.compile(r"\W*nothing\b", re.IGNORECASE)
_WORD = re.compile(rf"\b({AD}|{WAIT})\b")
_PLAIN = r'[^"\\<>{}\n\r\t]'
_OPEN = r'[^"\\<>{} \n\r\t]'


@dataclass(frozen=True, slots=True)
class Forms:
    """A description that may be spoken, short to long."""

    texts: tuple[str, ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class Watched:
    """All three stages of one answer. ``forms`` only where it describes."""

    seen: str | WaitReason
    describes: bool | WaitReason
    forms: Forms | WaitReason | None


def caption_regex() -> str:
    """The caption, or the word for nothing, on one line."""
    return rf"({NOTHING}|[^<>{{}} \n\r\t][^<>{{}}\n\r\t]{{2,398}})"


def decision_regex() -> str:
    """One word."""
    return f"({AD}|{WAIT})"


def forms_regex() -> str:
    """The JSON of a description."""
    return rf"\{{{_forms()}\}}"


def watch_regex() -> str:
    """The JSON of all three stages."""
    seen = rf'"seen": "{_text(398)}", "decision": '
    return rf'\{{{seen}("{WAIT}"|"{AD}", {_forms()})\}}'


def forms_schema() -> str:
    """The same as a JSON schema, for servers that know no expressions."""
    return json.dumps(_object(_form_members()))


def watch_schema() -> str:
    """The JSON of all three stages; a wait needs no form."""
    told = {"seen": {"type": "string"}, "decision": {"type": "string", "enum": [AD, WAIT]}}
    return json.dumps(_object({**told, **_form_members()}, needed=list(told)))


def _form_members() -> dict[str, Any]:
    kind = {"type": "string", "enum": [kind.value for kind in Kind]}
    return {"kind": kind, **{name: {"type": "string"} for name in LENGTHS}}


def _object(members: dict[str, Any], needed: list[str] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": list(members) if needed is None else needed,
        "additionalProperties": False,
    }


def _forms() -> str:
    kinds = "|".join(kind.value for kind in Kind)
    lengths = ", ".join(f'"{name}": "{_text(12 * words)}"' for name, words in LENGTHS.items())
    return rf'"kind": "({kinds})", {lengths}'


def _text(most: int) -> str:
    return f"{_OPEN}({_PLAIN}{{0,{most}}}{_OPEN})?"


def read_caption(answer: str, language: str) -> str | WaitReason:
    """What is seen, in one line; NOTHING_NEW where the model says that nothing is."""
    said = clean(_bare(answer).replace("**", ""))
    if not any(c.isalnum() for c in said):
        return WaitReason.EMPTY
    if _NOTHING.match(said) and count_words(said) <= FEW:
        return WaitReason.NOTHING_NEW
    if refuses(said, language):
        return WaitReason.REFUSED
    return said if len(said) <= MOST_SEEN else said[:MOST_SEEN].rpartition(" ")[0]


def read_decision(answer: str, language: str) -> bool | WaitReason:
    """Whether to describe: the one word, if there is only one of them."""
    said = _bare(answer)
    if not any(c.isalnum() for c in said):
        return WaitReason.EMPTY
    words = set(_WORD.findall(said)) or set(_WORD.findall(said.upper()))
    if len(words) == 1:
        return AD in words
    return WaitReason.REFUSED if refuses(said, language) else WaitReason.UNPARSABLE


def read_forms(answer: str, language: str) -> Forms | WaitReason:
    """The description in up to three lengths, without those that can't be spoken."""
    said = _bare(answer)
    if not any(c.isalnum() for c in said):
        return WaitReason.EMPTY
    found = _fields(said)
    texts = _texts(found) or ([said] if _is_sentence(said) else [])
    return _spoken(texts, str(found.get("kind", "")), language, said)


def read_watched(answer: str, language: str) -> Watched:
    """The three stages of one answer, each as if it had been asked for alone."""
    found = _fields(_bare(answer))
    seen = read_caption(str(found.get("seen", "")), language)
    describes = read_decision(str(found.get("decision", "")), language)
    if "seen" not in found and "decision" not in found:
        unread = WaitReason.REFUSED if refuses(_bare(answer), language) else WaitReason.UNPARSABLE
        return Watched(unread, unread, None)
    if describes is not True:
        return Watched(seen, describes, None)
    forms = _spoken(_texts(found), str(found.get("kind", "")), language, "")
    return Watched(seen, describes, forms)


def _bare(answer: str) -> str:
    """The answer without thoughts and code fences, as much as is looked at."""
    return _FENCE.sub(" ", _THOUGHT.sub(" ", answer[:MOST_READ])).strip()


def _fields(said: str) -> dict[str, Any]:
    """The members of the JSON object in an answer; of a broken one, those that can be read."""
    start, end = said.find("{"), said.rfind("}")
    if 0 <= start < end:
        try:
            found = json.loads(said[start : end + 1], strict=False)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            return {str(key).casefold(): value for key, value in found.items()}
    return _members(said)


_NAMES = "|".join(["seen", "decision", "kind", *LENGTHS])
_MEMBER = re.compile(
    rf"""["'\u201c*]*\b({_NAMES})\b["'\u201d*]*\s*[:=]\s*"""
    r"""(?:"((?:[^"\\]|\\.)*)"|'([^'\n]*)'(?=\s*(?:[,}\n]|$))|\u201c([^\u201d]*)\u201d|([^"'\n,{}]+))""",
    re.IGNORECASE,
)


def _members(said: str) -> dict[str, Any]:
    """The first of each name; one whose end was cut off is none."""
    found: dict[str, Any] = {}
    for name, *values in _MEMBER.findall(said):
        text = next((value for value in values if value), "").strip()
        found.setdefault(name.casefold(), text.replace('\\"', '"'))
    return found


def _texts(found: dict[str, Any]) -> list[str]:
    listed = found.get("forms")
    values = listed if isinstance(listed, list) else [found.get(name) for name in LENGTHS]
    return [value for value in values if isinstance(value, str) and value.strip()]


def _is_sentence(said: str) -> bool:
    """A bare description in place of its JSON: one line, no member of anything in it."""
    return "\n" not in said and not re.search(r'[{}":]', said) and len(said) <= MOST_TEXT


def _spoken(texts: list[str], kind: str, language: str, said: str) -> Forms | WaitReason:
    reasons: list[WaitReason] = []
    fit: list[str] = []
    for text in [" ".join(text.split()) for text in texts]:
        reason = unfit(text, language) or (WaitReason.UNPARSABLE if len(text) > MOST_TEXT else None)
        if reason is None and stammers(text):
            reason = WaitReason.REPEATED
        if reason is not None:
            reasons.append(reason)
        elif text not in fit:
            fit.append(text)
    if fit:
        return Forms(tuple(sorted(fit, key=count_words)[:MAX_FORMS]), _kind(kind))
    if reasons:
        return reasons[0]
    return WaitReason.REFUSED if refuses(said, language) else WaitReason.UNPARSABLE


def _kind(told: str) -> Kind:
    try:
        return Kind(told.strip().casefold())
    except ValueError:
        return Kind.ACTION
