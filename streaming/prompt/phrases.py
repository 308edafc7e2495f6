"""What a model says in place of a description, by language. Data; lower case, words as spoken.

A refusal is found where its words begin the text; meta-talk, anywhere in it. People in films do
watch videos and look at pictures, so meta-talk is a subject with a verb of showing, or a place.
"""

from __future__ import annotations

REFUSALS: dict[str, tuple[str, ...]] = {
    "en": (
        "i can't", "i cannot", "i can not", "i am unable", "i'm unable", "i am not able",
        "i'm not able", "i won't", "i will not", "i am sorry", "i'm sorry", "sorry, i",
        "sorry, but", "sorry but", "apologies",
        "i apologize", "as an ai", "as a language model", "as an assistant", "i don't have",
        "i do not have", "unfortunately i", "it is not possible to", "it's not possible to",
        "there is not enough information", "there isn't enough information",
        "there is no description", "no description",
    ),
}  # fmt: skip

_SHOWN = ("video", "clip", "footage", "frame", "frames", "image", "images", "picture", "pictures",
          "scene", "screenshot", "sequence", "shot")  # fmt: skip
_SHOW = ("shows", "show", "depicts", "depict", "features", "feature", "displays", "captures",
         "contains", "appears to", "seems to", "begins with", "starts with", "ends with",
         "is about", "transitions")  # fmt: skip
_THE = ("the", "this", "these")
_WITHIN = ("video", "clip", "footage", "frame", "frames", "screenshot")

META_TALK: dict[str, tuple[str, ...]] = {
    "en": (
        *(f"{the} {it} {verb}" for the in _THE for it in _SHOWN for verb in _SHOW),
        *(f"in {the} {it}" for the in ("this", "these", "each", "every") for it in _WITHIN),
        *(f"{nth} frame" for nth in ("first", "second", "next", "last", "final", "previous")),
        "in the video", "in the clip", "in the frames", "in the footage",
        "of the video", "of the frames", "of the clip", "we see", "we can see", "you can see",
        "the viewer sees", "the viewer can", "the viewers see", "the camera shows",
        "audio description", "as described", "the transcript says", "based on the provided",
        *(f"based on the {it}" for it in _SHOWN),
    ),
}  # fmt: skip
