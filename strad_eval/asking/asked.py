"""One question as it is put to a model: options shuffled, words filled in, named by a key."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import dataclass

from strad_engines.messages import Message, Part, Text
from strad_eval.asking.material import Media
from strad_eval.asking.shown import Shown
from strad_eval.mcq.item import LETTERS, Item
from strad_eval.prompts.prompt import Prompt

_GIVEN = {
    "options": "You see and hear nothing of the video.",
    "vision": "Above are frames of the video, evenly spaced, in order.",
    "audio": "Above is the sound of the video.",
    "omni": "Above are frames of the video, evenly spaced, in order, and its sound.",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question ready to be asked, but for its pictures and sound."""

    item: Item
    order: tuple[int, ...]
    """The options' own places, in the order in which they are shown."""
    system: str
    user: str

    def messages(self, media: Media) -> list[Message]:
        """Pictures and sound first, so that a server can reuse them for the next question."""
        parts: list[Part] = [*media.frames]
        if media.audio is not None:
            parts.append(media.audio)
        parts.append(Text(self.user))
        return [Message.of("system", self.system), Message("user", tuple(parts))]

    def key(self, model: str, prompt: Prompt, one: Shown, seed: int, sources: str) -> str:
        """Names the answer: everything that it hangs on but the media's very bytes."""
        said = [model, prompt.name, prompt.sha256, one.name, one.frames, seed, sources]
        said += [self.item.id, list(self.order), self.system, self.user]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def put(
    item: Item, prompt: Prompt, one: Shown, dialogue: str, *, seed: int, shuffle: bool
) -> Asked:
    """The question, shown in that way. The same seed shuffles the same question alike."""
    order = list(range(len(item.options)))
    if shuffle:
        random.Random(f"{seed}:{item.id}").shuffle(order)
    listed = [f"{LETTERS[at]}) {item.options[own]}" for at, own in enumerate(order)]
    given = _GIVEN[one.way]
    if one.dialogue:
        given += f"\nWhat is said in it:\n{dialogue or '(nothing)'}"
    user = prompt.fill(given=given, question=item.question, options="\n".join(listed))
    return Asked(item, tuple(order), prompt.system, user)
