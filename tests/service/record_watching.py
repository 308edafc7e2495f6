"""Record what viewers of this release say and are told: python -m tests.service.record_watching.

Run once a protocol version; what is there is never written anew.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.service.watch_conversations import FIXTURES, conversation

CONVERSATIONS: dict[str, list[dict[str, Any]]] = {
    "watch-whole": [{"watch": ""}],
    "watch-resumed": [{"watch": "?after=4&log={log}"}],
    "watch-other-log": [{"watch": "?after=4&log=0123456789abcdef"}],
    "watch-wishes": [{"watch": "?kinds=scene,name&form=short&extras=gaps,transcript"}],
    "watch-asking": [
        {"watch": "?form=long", "live": True},
        {"tell": {"type": "missed", "id": "m1", "after": 1}},
        {"tell": {"type": "missed", "since": 10.0, "until": 60.0, "most": 1}},
        {"tell": {"type": "scene", "id": "s1", "at": 45.0}},
        {"tell": {"type": "prefer", "id": "p1", "kinds": ["text"], "form": "short"}},
        {"tell": {"type": "missed", "id": "m2", "since": 0.0}},
        {"tell": {"type": "prefer", "id": "p2", "extras": ["gaps"]}},
        {"tell": {"type": "missed", "id": "m3"}},
        {"tell": {"type": "applause", "id": "a1"}},
    ],
    "watch-flagging": [
        {"watch": "", "live": True},
        {"tell": {"type": "flag", "id": "f1", "event": "ad-1", "kind": "wrong", "note": "Não."}},
        {"tell": {"type": "flag", "event": "ad-1", "kind": "wrong", "by": "k3Jd0aQ2"}},
        {"tell": {"type": "flag", "id": "f3", "event": "ad-1", "kind": "wrong", "by": "k3Jd0aQ2"}},
        {"tell": {"type": "flag", "id": "f4", "event": "ad-2", "kind": "late"}},
        {"tell": {"type": "flag", "id": "f5", "event": "ad-9", "kind": "other", "note": "?"}},
    ],
    "watch-events": [{"events": ""}],
    "watch-events-resumed": [{"events": "?after=1&log=x", "last": "{log}:5"}],
    "watch-events-over": [{"events": "", "last": "{log}:9"}],
}


async def record() -> None:
    for name, lines in CONVERSATIONS.items():
        target = FIXTURES / f"{name}.jsonl"
        if target.exists():
            continue
        heard = await conversation(lines)
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in heard)
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(record())
