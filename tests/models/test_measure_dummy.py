"""``strad measure --dummy tiny``: weights that mean nothing, through the real engine."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from service.cli.main import main
from strad.errors import InputError, WorkError
from strad_engines.transformers_engine import dummy

pytestmark = [pytest.mark.models, pytest.mark.slow]


def test_a_dummy_is_measured_with_answers_of_thirty_tokens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = tmp_path / "figures.json"
    words = ("measure", "--dummy", "tiny", "--seconds", "10", "--live", "4", "--json", str(report))
    monkeypatch.setattr(sys, "argv", ["strad", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    document = json.loads(report.read_text())
    assert document["dummy"] is True
    figures = document["figures"]
    assert figures["answer_tokens"] == 30
    assert figures["windows"] == figures["ad_windows"] == 3  # 2, 4, 6 s; then somebody speaks
    # Two seconds up to the cursor; of the first window the pair at 1 and 2 s is shown.
    assert figures["lag"] == pytest.approx((1 + 2 + 2) / 3, abs=0.1)
    for stage in ("prompt", "vision", "prefill", "decode", "decide", "media_decode"):
        assert figures[f"stage.{stage}"] > 0
    assert figures["tokens_per_second"] > 0
    assert figures["live.windows"] > 0


def test_what_has_no_room_is_told_before_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dummy, "free_memory", lambda: 4 << 30)
    with pytest.raises(WorkError, match="too little memory"):
        dummy.write_dummy("qwen35-4b", tmp_path, ["AD WAIT"])
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="no dummy"):
        dummy.write_dummy("qwen35-400b", tmp_path, ["AD WAIT"])
