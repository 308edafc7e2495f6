"""What a vLLM server is sent for Phi-4-multimodal, as recorded.

UNTESTED against a server: vLLM serves it only by Microsoft's own code (``--trust-remote-code``)
with real weights, which are not to be had where these tests run. What is recorded is what vLLM's
documentation asks for with ``Phi4MMForCausalLM``: ``image_url`` for pictures, ``input_audio``.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from strad.speech import Word
from strad.timeline import Interval
from strad_engines.abilities import Abilities
from strad_engines.dialects import members
from strad_engines.messages import Sampling
from strad_engines.openai_wire import request_body
from strad_engines.server_facts import ServerFacts
from streaming.media import AudioChunk, VideoFrame
from streaming.prompt.profiles import profile
from streaming.window import Window

pytestmark = pytest.mark.unit

PHI = profile("phi4mm")
VLLM = ServerFacts(
    "vllm",
    Abilities(video=False, images=True, audio=True, regex=True, log_probabilities=True),
)
WINDOW = Window(
    when=Interval(0, 2_000),
    frames=(VideoFrame(1_000, b"first", 8, 8, hash=1), VideoFrame(2_000, b"second", 8, 8, hash=2)),
    audio=(AudioChunk(1_000, b"\1\0" * 16_000),),
    words=(Word(Interval(1_100, 1_500), "Hello."),),
    words_final_to=2_000,
    history=(),
    gap=Interval(1_500, 2_000),
    new_from=0,
)


def sent() -> dict[str, Any]:
    """The body of the request."""
    chat = PHI.render(WINDOW)
    sampling = Sampling(48, presence_penalty=1.5, regex=PHI.regex(), alternatives=5)
    body = request_body("phi", chat, sampling, members(chat, sampling, VLLM))
    loaded: dict[str, Any] = json.loads(body)
    return loaded


def test_each_picture_comes_after_its_time_and_the_sound_after_the_pictures() -> None:
    _, user = sent()["messages"]
    shape = [part["text"] if part["type"] == "text" else part["type"] for part in user["content"]]
    assert shape[:5] == ["(t=0.0)", "image_url", "(t=1.0)", "image_url", "input_audio"]
    assert "Speech (t=0.1) Hello. (t=0.5)" in shape[5]


def test_pictures_are_jpegs_and_sound_is_a_wav_of_what_the_pictures_show() -> None:
    content = sent()["messages"][1]["content"]
    urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    assert urls == [
        "data:image/jpeg;base64," + base64.b64encode(data).decode()
        for data in (b"first", b"second")
    ]
    audio = content[4]["input_audio"]
    assert audio["format"] == "wav"
    wav = base64.b64decode(audio["data"])
    assert wav[:4] == b"RIFF"
    assert wav[44:] == b"\1\0" * 16_000


def test_the_answer_is_drawn_as_for_every_model() -> None:
    body = sent()
    assert (body["temperature"], body["max_tokens"], body["presence_penalty"]) == (0.0, 48, 1.5)
    assert (body["logprobs"], body["top_logprobs"]) == (True, 5)
    assert body["structured_outputs"] == {"regex": PHI.regex()}
