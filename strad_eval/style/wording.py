"""Rules that one sentence breaks by itself: what it says and how.

Sources: Netflix's AD guide, DCMP's tip sheet, ACB's and ITC's guidance, as gathered in
docs/metrics.md with each rule. The word lists are ours, short and English; they find the plain
cases and miss the others.
"""

from __future__ import annotations

import re

_EMOTIONS = (
    "angry|angrily|sad|sadly|happy|happily|joyful|joyfully|jealous|jealously|nervous|nervously"
    "|anxious|anxiously|lonely|proud|proudly|ashamed|embarrassed|disgusted|guilty|guiltily"
    "|frustrated|confused|excited|excitedly|terrified|furious|furiously|heartbroken|relieved"
)
_INTENTIONS = r"wants to|decides to|hopes to|tries to hide|pretends to|knows that|realizes|realises"
_GUESSES = (
    "black|white|asian|hispanic|latino|latina|caucasian|african[- ]american|arab|oriental|gay"
    "|lesbian|transgender|disabled|handicapped|crippled|autistic"
)
_PEOPLE = "man|woman|men|women|boy|girl|boys|girls|person|people|guy|lady|child|children|kid|kids"
_CAMERA = (
    r"(?:the|a) (?:camera|shot|scene|frame|screen|video|clip|image|footage|film)"
    r" (?:shows?|pans?|zooms?|cuts?|fades?|focuses|moves|follows|depicts|displays|opens?)"
    r"|we (?:can )?see|we are shown|we hear|we watch|can be seen|is seen|are seen|in this (?:scene"
    r"|shot|clip|video|frame)|on[- ]screen|on the screen|close[- ]up of"
)
_PAST = (
    "was|were|had|did|went|came|took|saw|said|gave|got|made|stood|sat|ran|fell|held|told|left|knew"
    "|thought|found|began|kept|brought|wore|spoke|walked|looked|turned|smiled|opened|closed|entered"
    "|pulled|pushed|nodded|stared|watched|handed|grabbed|stepped|moved"
)
_SUBJECT = "(?:he|she|they|it|we|who)"

RULES: dict[str, re.Pattern[str]] = {
    "camera-talk": re.compile(rf"\b(?:{_CAMERA})\b", re.IGNORECASE),
    "first-or-second-person": re.compile(r"\b(?:I|[Ww]e|[Yy]ou|[Mm]y|[Oo]ur|[Yy]our|[Uu]s|me)\b"),
    "past-tense": re.compile(rf"\b(?i:{_SUBJECT}) (?:{_PAST})\b"),
    "interprets": re.compile(rf"\b(?:{_EMOTIONS}|{_INTENTIONS})\b", re.IGNORECASE),
    "guesses-identity": re.compile(rf"\b(?:{_GUESSES}) (?:{_PEOPLE})\b", re.IGNORECASE),
    "refuses": re.compile(
        r"\b(?:I(?:'m| am) (?:sorry|unable)|I can(?:'t|not)|as an AI|content warning"
        r"|not able to (?:describe|see|provide)|cannot (?:describe|provide|determine))\b",
        re.IGNORECASE,
    ),
    "not-plain-text": re.compile(
        r"[*_#`~<>{}|\[\]\\\u2022\U0001f000-\U0001faff\u2600-\u27bf]|https?://"
        r"|\b\d{1,2}:\d{2}(?::\d{2})?\b(?!\s*[ap]\.?m)|^\s*(?:[-\u2013]|\d+[.)])\s",
        re.IGNORECASE,
    ),
    "hedges": re.compile(
        r"\b(?:appears? to be|seems? to be|possibly|perhaps|might be|may be|it looks like)\b",
        re.IGNORECASE,
    ),
}
"""Name of the rule, and what breaks it."""


def broken_rules(text: str) -> list[str]:
    """The names of the rules that the sentence breaks."""
    return [name for name, pattern in RULES.items() if pattern.search(text)]
