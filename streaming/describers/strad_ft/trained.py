"""What a model's own file must say of its prompts, and whether they are those we send.

A model that is asked in another way than it was trained answers worse, and nobody sees why. So the
way is written down beside the weights and checked before the first window.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from strad.errors import InputError
from strad.model_file import ModelFile
from strad_engines.engine import ChatEngine
from strad_engines.known_answer import DEADLINE_S, KnownAnswer
from strad_engines.messages import Audio, Image, Message, Part, Sampling, Text, Video
from streaming.describers.strad_ft.asking import Asking
from streaming.describers.strad_ft.known_window import known_window
from streaming.prompt.profile import Profile

_SEEDS = range(3)
CHECK_SEED = 11


def model_file(profile: Profile, *, base: str, asking: Asking | None = None) -> ModelFile:
    """The file of a model that was trained with ``profile`` as it is now, and how to decide."""
    asking = asking or Asking()
    return ModelFile(
        strad="model",
        version=1,
        profile=profile.name,
        prompt=profile.text,
        prompt_sha256=prompt_sha256(profile),
        base=base,
        threshold=asking.threshold,
        presence_penalty=asking.presence_penalty,
        penalty=asking.penalty.value,
    )


def must_be_trained_with(profile: Profile, file: ModelFile) -> None:
    """Raise InputError, in one line, where the file says that it was trained with other prompts.

    A file that does not say is believed: its profile's name is all there is to compare.
    """
    if file.profile != profile.name:
        raise InputError(
            f"the model was trained with profile {file.profile}, not {profile.name}: "
            f"serve it with --profile {file.profile}"
        )
    if file.prompt and file.prompt != profile.text:
        raise InputError(
            f"the model was trained with the instructions {file.prompt}, this version sends "
            f"{profile.text}: train it again, or use the version that it was trained by"
        )
    if file.prompt_sha256 and file.prompt_sha256 != prompt_sha256(profile):
        raise InputError(
            f"the prompts of {profile.name} are not those that the model was trained with "
            f"({file.prompt_sha256[:12]}, now {prompt_sha256(profile)[:12]}): train it again, or "
            "use the version that it was trained by"
        )


@cache
def prompt_sha256(profile: Profile) -> str:
    """Changes with anything that the profile does otherwise, and only then."""
    found = hashlib.sha256(profile.regex().encode())
    for seed in _SEEDS:
        for message in profile.render(known_window(seed)):
            for piece in _pieces(message):
                found.update(b"%d " % len(piece) + piece)
    return found.hexdigest()


async def known_answer(
    engine: ChatEngine,
    profile: Profile,
    *,
    seed: int = CHECK_SEED,
    constrained: bool = True,
    deadline_s: float = DEADLINE_S,
) -> KnownAnswer:
    """What the model says of a known window: written where it is trained, asked where it is served.

    Where ``constrained`` it must describe: any model waits, only the trained one describes like
    this. An engine that can't hold it to that can't ask it. Raises the engine's errors.
    """
    regex = profile.regex(describe=True) if constrained else None
    sampling = Sampling(Asking().max_tokens, regex=regex)
    # A known answer holds no sound.
    messages = profile.render(replace(known_window(seed), audio=()))
    found = await engine.generate(messages, sampling, deadline_s=deadline_s)
    return KnownAnswer(messages, sampling, found.text)


def _pieces(message: Message) -> Iterator[bytes]:
    yield message.role.encode()
    for part in message.parts:
        yield type(part).__name__.encode()
        yield from _media(part)


def _media(part: Part) -> Iterator[bytes]:
    match part:
        case Text(text):
            yield text.encode()
        case Image(data) | Audio(data):
            yield data
        case Video(frames, fps):
            yield str(fps).encode()
            yield from (frame.data for frame in frames)
