"""What each kind of server is told beyond OpenAI's own members, and what is refused unsent."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from strad_engines.abilities import Abilities
from strad_engines.dialects import members, prompt_members
from strad_engines.engine_errors import EngineRefusedError
from strad_engines.gbnf import grammar_of
from strad_engines.messages import Audio, Image, Message, Part, Sampling, Video
from strad_engines.server_facts import ServerFacts

pytestmark = pytest.mark.unit

ABLE = Abilities(
    video=True, images=True, audio=True, regex=True, log_probabilities=True, schema=True
)
VLLM = ServerFacts("vllm", replace(ABLE, most_frames=32, video_fps=1.0))
LLAMA = ServerFacts("llama-server", replace(ABLE, video=False, audio=False))
OTHER = ServerFacts()
ASK = (Message.of("user", "?"),)
GREEDY = Sampling(30)
LINE = replace(GREEDY, regex="WAIT|AD")
SHAPE = {"type": "object", "properties": {"answer": {"type": "string"}}}
SHAPED = replace(GREEDY, schema=json.dumps(SHAPE))


def _user(*parts: Part) -> tuple[Message, ...]:
    return (Message("user", parts),)


def _video(frames: int = 8, fps: float = 1.0) -> Video:
    return Video((Image(b"jpeg"),) * frames, fps)


@pytest.mark.parametrize(
    ("facts", "constraint"),
    [
        (VLLM, {"structured_outputs": {"regex": "WAIT|AD"}}),
        (LLAMA, {"grammar": grammar_of("WAIT|AD")}),
    ],
)
def test_an_expression_is_kept_in_the_servers_own_words(
    facts: ServerFacts, constraint: dict[str, object]
) -> None:
    assert constraint.items() <= members(ASK, LINE, facts).items()
    assert not constraint.keys() & members(ASK, GREEDY, facts).keys()


def test_a_schema_is_kept_in_the_servers_own_words_and_tried_where_nobody_knows() -> None:
    assert members(ASK, SHAPED, VLLM)["structured_outputs"] == {"json": SHAPE}
    for facts in (LLAMA, OTHER):
        told = members(ASK, SHAPED, facts)["response_format"]
        assert told["type"] == "json_schema"
        assert told["json_schema"]["schema"] == SHAPE


def test_vllm_which_may_run_on_cpus_draws_without_a_seed() -> None:
    assert members(ASK, replace(GREEDY, temperature=0.7), VLLM)["seed"] is None
    assert "seed" not in members(ASK, GREEDY, VLLM)
    assert "seed" not in members(ASK, replace(GREEDY, temperature=0.7), LLAMA)


@pytest.mark.parametrize("facts", [VLLM, LLAMA])
def test_servers_own_defaults_change_no_answer(facts: ServerFacts) -> None:
    said = members(ASK, GREEDY, facts)
    assert said["chat_template_kwargs"] == {"enable_thinking": False}
    assert (said["top_k"], said["min_p"], said["presence_penalty"]) == (0, 0.0, 0.0)
    assert members(ASK, replace(GREEDY, presence_penalty=1.5), facts)["presence_penalty"] == 1.5


def test_a_server_nobody_asked_is_told_nothing_of_ours() -> None:
    assert members(_user(_video()), GREEDY, OTHER) == {}


@pytest.mark.parametrize(
    ("messages", "sampling", "facts", "says"),
    [
        (ASK, LINE, OTHER, "regular expression"),
        (ASK, SHAPED, replace(VLLM, abilities=replace(ABLE, schema=False)), "a schema"),
        (ASK, replace(GREEDY, regex="(?=a)b"), LLAMA, "grammar"),
        (_user(_video()), GREEDY, LLAMA, "send its frames as images"),
        (_user(Audio(b"wav")), GREEDY, LLAMA, "no sound"),
        (_user(Image(b"")), GREEDY, replace(VLLM, abilities=replace(ABLE, images=False)), "images"),
        (_user(_video(33)), GREEDY, VLLM, "--trust-request-mm-kwargs"),
        (_user(_video(fps=2.0)), GREEDY, VLLM, "1 a second"),
    ],
)
def test_what_cannot_be_had_is_refused_and_never_sent_otherwise(
    messages: tuple[Message, ...], sampling: Sampling, facts: ServerFacts, says: str
) -> None:
    with pytest.raises(EngineRefusedError, match=says):
        members(messages, sampling, facts)


def test_frames_are_taken_as_they_are() -> None:
    """A server that listens is told; one that doesn't must read them so by itself."""
    trusting = replace(VLLM, abilities=ABLE)
    told = {"media_io_kwargs": {"video": {"fps": 2.0, "num_frames": -1}}}
    assert told.items() <= prompt_members(_user(_video(fps=2.0)), trusting).items()
    assert "media_io_kwargs" in prompt_members(_user(_video()), trusting)
    assert "media_io_kwargs" not in prompt_members(ASK, trusting)
    assert "media_io_kwargs" not in prompt_members(_user(_video(32)), VLLM)
    faster = replace(VLLM, abilities=replace(ABLE, video_fps=2.0, most_frames=32))
    assert "media_io_kwargs" not in prompt_members(_user(_video(fps=2.0)), faster)
    with pytest.raises(EngineRefusedError, match="2 a second"):
        prompt_members(_user(_video()), faster)
    with pytest.raises(EngineRefusedError, match="same rate"):
        prompt_members(_user(_video(), _video(fps=2.0)), trusting)
