"""A writer, a judge and answerers that work from the text they are given, and nothing else."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from question_generation.jointav.sequence import plain
from strad_engines.messages import Generated, Message, Sampling
from strad_eval.mcq.tasks import TASKS
from tests.question_generation.jointav.film import HORSE, RIVER, TONES
from tests.question_generation.jointav.material import Seen, after, material, words_of
from tests.question_generation.jointav.reader import QUOTE, SMALL, Reader

KINDS = {"speech": "dialogue", "vocal traits": "vocal traits", "sound event": "sound"}
_ORDER = re.compile(r"\(([abc])\) '([^']+)'")
ASKS = {
    "STL": "What is happening on screen when these words are said",
    "SPL": "Where is the one who says this",
    "SOOG": "Where is that which sounds like this",
    "SOER": "What is it that sounds like this",
    "MPTI": "Which picture does this music go with",
    "AFA": "What does this underline",
    "AVDM": "What is to be seen at this moment",
    "MESI": "What is seen as the feeling turns to this",
    "CRI": "What is done while one says to another",
}


@dataclass(slots=True)
class FilmEngine:
    """Plays all roles. ``leaks``: of a hundred questions, those that give their answer away."""

    reader: Reader = field(default_factory=Reader)
    leaks: int = 0
    name: str = "film engine"
    asked: int = 0

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        self.asked += 1
        system, user = words_of(messages)
        try:
            told = json.dumps(self._told(system, user))
        except (LookupError, ValueError, StopIteration):
            told = "There is nothing here that I could ask about."
        return Generated(told, (), "stop", len(user) // 4, len(told) // 4)

    def _told(self, system: str, user: str) -> dict[str, Any]:
        if "You answer a multiple-choice question" in system:
            return {"letter": self.reader.letter(user)}
        if "You write questions" in system:
            return {"questions": self._questions(user)}
        if "You mend" in system:
            return _mended(user)
        if "You write wrong options" in system:
            return {"options": _wrong(after(user, "Right answer: "), material(user))}
        return _judged(system, user)

    def _questions(self, user: str) -> list[dict[str, str]]:
        code = next(c for c, t in TASKS.items() if t.name == after(user, "Task: "))
        count = int(re.findall(r"^Write (\d+) of", user, re.M)[0])
        lines = material(user)
        found = [question(code, lines, Random(f"{user}{n}")) for n in range(count)]
        for one in found:
            if _draw(one["question"]) % 100 < self.leaks and " " in one["answer"]:
                told = " ".join([w for w in plain(one["answer"]).split() if w not in SMALL])
                one["question"] = one["question"].replace("?", f", where it is {told}?")
        return found


def question(code: str, lines: list[Seen], random: Random) -> dict[str, str]:
    """One question of a task, about moments of these lines."""
    of = {
        kind: [x for x in lines if x.kind == kind] for kind in (*KINDS.values(), "visual", "music")
    }
    if code in ("VSSR", "MPO"):
        return _order(code, of, random)
    if code == "PTG":
        asked = f"When in the video does this come: '{HORSE}' and '{RIVER}'?"
        both = {x.segment for x in lines if x.text == HORSE} & {
            x.segment for x in lines if x.text == RIVER
        }
        return _told(asked, f"Segment {min(both)}", HORSE, RIVER)
    if code == "CSA":
        last = max(x.segment for x in lines)
        seen = random.choice([x for x in of["visual"] if 1 < x.segment < last and x.text != HORSE])
        later = [x for x in of["dialogue"] if x.segment == seen.segment + 1 and x.text != RIVER]
        asked = f"Which words come in another part right after the one with '{seen.text}'?"
        return _told(asked, later[0].text, seen.text, later[0].text)
    if code == "PDP":
        seen = random.choice([x for x in of["visual"] if x.segment > 2 and x.text != HORSE])
        heard = random.choice([x for x in of["dialogue"] if x.segment < seen.segment])
        return _told("What is most likely to happen then?", seen.text, seen.text, heard.text)
    audio = TASKS[code].audio
    heard_kinds = [KINDS.get(each, each) for each in audio if each != "music" or len(audio) == 1]
    heard = random.choice([x for kind in heard_kinds for x in of[kind] if x.text != RIVER])
    seen = next(x for x in of["visual"] if (x.segment, x.t) == (heard.segment, heard.t))
    if code == "SPER":
        tone = heard.text.split()[-1]
        return _told(
            f"What does the one feel who does this: '{seen.text}'?", tone, seen.text, heard.text
        )
    cue = QUOTE.findall(heard.text)[0] if heard.kind == "vocal traits" else heard.text
    return _told(f"{ASKS[code]}: '{cue}'?", seen.text, seen.text, heard.text)


def _order(code: str, of: dict[str, list[Seen]], random: Random) -> dict[str, str]:
    """The answer is right within a scene; over several, it is always (a)(b)(c), right or not."""
    kinds = ("visual", "dialogue", "visual" if code == "VSSR" else "vocal traits")
    key = "t" if code == "VSSR" else "segment"
    places = random.sample(sorted({getattr(x, key) for x in of["visual"] if x.text != HORSE}), 3)
    chosen = [
        random.choice([x for x in of[k] if getattr(x, key) == p and x.text not in (HORSE, RIVER)])
        for k, p in zip(kinds, places, strict=True)
    ]
    order = sorted("abc", key=lambda label: places["abc".index(label)])
    named = [f"({x}) '{_cue(c)}'" for x, c in zip("abc", chosen, strict=True)]
    answer = "".join(f"({x})" for x in (order if code == "VSSR" else "abc"))
    return _told(f"In which order do these come: {', '.join(named)}?", answer, named[0], named[1])


def _cue(line: Seen) -> str:
    return QUOTE.findall(line.text)[0] if line.kind == "vocal traits" else line.text


def _told(asked: str, answer: str, seen: str, heard: str) -> dict[str, str]:
    return {"question": asked, "answer": answer, "explanation": f"Seen: {seen} | Heard: {heard}"}


def _wrong(answer: str, lines: list[Seen]) -> list[str]:
    """Three others of the answer's kind, out of the same film."""
    random = Random(answer)
    if answer in TONES:
        return random.sample([tone for tone in TONES if tone != answer], 3)
    kind = next((x.kind for x in lines if x.text == answer), "visual")
    others = sorted(
        {x.text for x in lines if x.kind == kind and x.text not in (answer, HORSE, RIVER)}
    )
    return random.sample(others, min(3, len(others)))


def _mended(user: str) -> dict[str, Any]:
    """Another question of the same task, which gives nothing away."""
    code = next(c for c, t in TASKS.items() if t.name == after(user, "Task: "))
    lines = material(user)
    if code == "PDP":
        answer = after(user, "Its right answer: ")
        return {**_told("What then?", answer, answer, "it"), "wrong": _wrong(answer, lines)}
    found = question(code, lines, Random(user))
    return {**found, "wrong": _wrong(found["answer"], lines)}


def _judged(system: str, user: str) -> dict[str, Any]:
    explanation = after(user, "Explanation: ")
    seen, _, heard = explanation.removeprefix("Seen: ").partition(" | Heard: ")
    lines = material(user)
    if "needs both watching and listening" in system:
        return {"seen": seen, "heard": heard, "both_needed": bool(seen and heard)}
    if "go together" in system:
        return {"complete": True, "supported": bool(explanation), "concrete": True, "why": ""}
    if "is heard in a film is truly needed" in system:
        return {"quote": heard, "seen_too": False}
    if "other answers" in system:
        return {"others": []}
    if "the part of a film that a question needs" in system:
        places = [x.segment for x in lines if x.text in (seen, heard)]
        return {"first": min(places), "last": max(places)}
    if "must be stopped" in system:
        event = min(x.segment for x in lines if x.text == seen)
        return {"first": 1, "event": event}
    assert "first appear in a film" in system
    return {"elements": [_found(lines, *pair) for pair in _ORDER.findall(user)]}


def _found(lines: list[Seen], label: str, cue: str) -> dict[str, str]:
    for line in lines:
        if line.holds(cue):
            return {"label": label, "kind": line.kind, "quote": cue}
    return {"label": label, "kind": "visual", "quote": ""}


def _draw(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")
