"""Penn Treebank tokens without Java, for English captions.

Written from what the tokenizer that captioning metrics use (CoreNLP 3.4.1's, lower-casing) is seen
to do; its source was not read. On 10,299 published audio descriptions the two differ in 3, each a
full stop after a single letter, where the jar looks on into the next caption and this does not.
Mark-up and formulas may differ more.
"""

from __future__ import annotations

import re

PUNCTUATION = frozenset(
    (
        *("''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-"),
        *(".", "?", "!", ",", ":", "-", "--", "...", ";"),
    )
)
"""What captioning metrics drop. Upper case, while the tokens are lower: brackets stay, as they
do in every published number."""

_ABBREVIATIONS = (
    "adm|al|ala|alex|apr|ariz|assn|assoc|aug|ave|bldg|blvd|brig|bros|calif|capt|cf|cie|cmdr|co"
    "|col|colo|conn|corp|cos|cpl|dec|dept|det|dr|drs|esq|est|etc|feb|fla|fri|ft|ga|gen|gov|hon"
    "|inc|ind|insp|intl|jan|jos|jr|jul|jun|kan|lieut|lt|ltd|maj|mar|md|messrs|mfg|mich|minn"
    "|mlle|mme|mo|mon|mont|mr|mrs|ms|msgr|mt|natl|neb|nev|nov|oct|okla|pres|prof|pvt|rd|rep"
    "|reps|rev|rt|sen|sens|sep|sept|sgt|spc|sr|st|supt|tel|tenn|thu|thurs|tue|tues|univ|va|vs"
    "|wed|wis|wm|wyo"
)
_ABBREVIATED_NAMES = "Ark|Del|Ill|La|Mass|Miss|Ore|Pa|Tex|Wash"
"""Abbreviations only when they have a capital: in lower case they are words."""
_OPENERS = (
    "He|She|It|They|The|A|An|Then|In|At|As|But|We|You|Her|Their|This|That|There|When|While|After"
    "|Now|One"
)
"""Words that begin a new sentence after a single letter and a full stop."""
_LETTER = r"(?:[^\W\d_][\u0300-\u036f]*)"
_CHAR = r"(?:[^\W_][\u0300-\u036f]*)"
_WORD = rf"{_LETTER}{_CHAR}*"
_PART = rf"{_CHAR}++"
_STOP = r"(?!\w)"
_CLITIC = r"(?:s|m|d|re|ve|ll)"
_PATTERNS = (
    r"</?[A-Za-z][^<>]*>",
    r"https?://[^\s<>\"(){}|]+|www\.[^\s<>\"(){}|]*[\w/]",
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    # Words written together, taken apart.
    rf"can(?=not{_STOP})|gon(?=na{_STOP})|got(?=ta{_STOP})|wan(?=na{_STOP})",
    rf"gim(?=me{_STOP})|lem(?=me{_STOP})|'t(?=(?:is|was){_STOP})",
    rf"n't{_STOP}",
    rf"'{_CLITIC}{_STOP}",
    rf"{_LETTER}+?(?=n't{_STOP})",
    r"'n'|'(?:em|cause|til|till|n)(?!\w)|'\d\ds?(?!\w)",
    r"y'(?=\w)",
    # Names and words that keep an apostrophe.
    rf"(?:qu|{_LETTER})'(?!{_CLITIC}{_STOP}){_WORD}(?:-{_PART})*",
    rf"(?:ma'am|hallowe'en|ne'er|e'er|whate'er){_STOP}",
    # Abbreviations that keep their full stop.
    r"(?:[^\W\d_]\.){2,}(?:[^\W\d_](?![\w.]))?|ph\.d\.",
    rf"(?:{_ABBREVIATIONS})\.(?!\w)|(?-i:(?:{_ABBREVIATED_NAMES})\.(?!\w))",
    r"(?:nos?|ca|figs?|op)\.(?=\s*\d)|(?:p|pp|art)\.(?=\s*\d)",
    rf"{_LETTER}\.(?!\w)(?!\.)(?!\s+(?-i:{_OPENERS}){_STOP})",
    # Numbers, and words with numbers in them.
    r"\$?\d+(?:st|nd|rd|th|s)(?:-\w+)+",
    rf"(?:[+-]?(?:\d++(?:[.,:/-]\d++)+|\.\d++))(?!{_CHAR})",
    rf"{_PART}(?:[-/&]{_PART})+",
    rf"[+-]?\d++(?!{_CHAR})",
    r"\d+\.\d+|\d+:\d+",
    rf"{_LETTER}{_CHAR}*\.{_WORD}(?=[\s.!?,]|$)",
    rf"{_PART}(?:_{_PART})*",
    # Punctuation.
    r"\.\.\.|[?!]{2,}|-{2,}|_+|\#{2,}|\*{2,}|&(?:lt|gt|amp);",
    r"``|''|\S",
)
_TOKEN = re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS), re.IGNORECASE)
_SPELLED = str.maketrans(
    {
        "\u2019": "'",
        "\u2018": "`",
        "\u201c": "``",
        "\u201d": "''",
        "\u00ab": "``",
        "\u00bb": "''",
        "\u2039": "`",
        "\u203a": "'",
        "\u2026": "...",
        "\u2013": "--",
        "\u2014": "--",
        "\u2015": "--",
        "\u00bd": "1/2",
        "\u00bc": "1/4",
        "\u00be": "3/4",
        "\u00a3": "#",
        "\u20ac": "$",
        "\u00a2": " cents ",
        "\u00ad": "",
        "\u200b": " ",
        "\ufeff": " ",
        "\u2011": " ",
        "\u00a0": " ",
    }
)
_SYMBOLS = {
    "(": "-lrb-",
    ")": "-rrb-",
    "[": "-lsb-",
    "]": "-rsb-",
    "{": "-lcb-",
    "}": "-rcb-",
    '"': "''",
    "&lt;": "<",
    "&gt;": ">",
    "&amp;": "&",
}
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def split(line: str) -> list[str]:
    """All Penn Treebank tokens of one line, lower-cased, punctuation included."""
    text = _ASTRAL.sub(" ", line.translate(_SPELLED))
    return [_SYMBOLS.get(token, token.lower()) for token in _TOKEN.findall(text)]


def tokenize(caption: str) -> str:
    """The tokens that count, joined by spaces: lower-cased, without punctuation."""
    return " ".join(token for token in split(caption) if token not in PUNCTUATION)
