"""Takes one frame of each shot of a video: a program of its own, for no video is to be trusted.

It is run by the path of this file and imports nothing of ours. In: JSON, ``path``, ``span`` (start
and end in s), ``threshold`` and ``shortest`` (of PySceneDetect's ContentDetector, s), ``most``
frames, ``size`` (most pixels of a side), ``out`` (a folder). It writes ``0000.jpg`` and so on
there. Out: JSON, ``{"times": [...]}`` (s of the video) or ``{"error": ...}``.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Find the shots, take their frames."""
    asked = json.loads(sys.stdin.buffer.read())
    try:
        cv2, shots = importlib.import_module("cv2"), importlib.import_module("scenedetect")
    except ImportError as error:
        sys.stdout.write(json.dumps({"error": f"{error}: pip install 'strad[questions]'"}))
        return
    try:
        answer: dict[str, Any] = {"times": _taken(cv2, _middles(shots, asked), asked)}
    except (cv2.error, shots.VideoOpenFailure, OSError, ValueError) as error:
        answer = {"error": str(error) or type(error).__name__}
    sys.stdout.write(json.dumps(answer))


def _middles(shots: Any, asked: dict[str, Any]) -> list[float]:  # noqa: ANN401 the library
    start, end = asked["span"]
    video = shots.open_video(asked["path"])
    rate = float(video.frame_rate)
    detector = shots.ContentDetector(
        threshold=asked["threshold"], min_scene_len=max(1, round(asked["shortest"] * rate))
    )
    manager = shots.SceneManager()
    manager.add_detector(detector)
    video.seek(start)
    manager.detect_scenes(video, end_time=end)
    found = manager.get_scene_list(start_in_scene=True)
    middles = [(one[0].get_seconds() + one[1].get_seconds()) / 2 for one in found]
    most = asked["most"]
    if len(middles) <= most:
        return middles
    return [middles[int((n + 0.5) * len(middles) / most)] for n in range(most)]


def _taken(cv2: Any, times: list[float], asked: dict[str, Any]) -> list[float]:  # noqa: ANN401
    video = cv2.VideoCapture(asked["path"])
    taken: list[float] = []
    for time in times:
        video.set(cv2.CAP_PROP_POS_MSEC, time * 1000)
        read, frame = video.read()
        if not read:
            continue
        scale = min(1.0, asked["size"] / max(frame.shape[:2]))
        small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        coded, data = cv2.imencode(".jpg", small)
        if coded:
            Path(asked["out"], f"{len(taken):04}.jpg").write_bytes(data.tobytes())
            taken.append(time)
    return taken


if __name__ == "__main__":
    main()
