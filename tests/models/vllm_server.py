"""A vLLM server in a process of its own, on loopback and a free port, serving one checkpoint.

It ends with whoever started it, however that ends: the child asks the kernel for SIGTERM at its
parent's death, and leads a process group that is killed as one.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx

LOOKS, LOOK_S = 480, 0.5
"""How often, and how far apart, it is asked whether it is up: 20 to 30 s on two idle cores."""
_PR_SET_PDEATHSIG = 1


class VllmServer:
    """Serves ``checkpoint`` as ``base``, and each adapter by its name."""

    def __init__(
        self,
        checkpoint: Path,
        log: Path,
        adapters: Sequence[tuple[str, Path]] = (),
        options: Sequence[str] = (),
    ) -> None:
        self._checkpoint, self._log, self._adapters = checkpoint, log, adapters
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self.port = _free_port()

    @property
    def url(self) -> str:
        """As clients have it."""
        return f"http://127.0.0.1:{self.port}/v1"

    def launch(self) -> None:
        """Start it, the same port each time; ``wait`` for it.

        The kernel means the thread when it says parent: call this on one that outlives the server.
        """
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "HF_HUB_OFFLINE": "1", "VLLM_CPU_KVCACHE_SPACE": "1"},
                start_new_session=True,
                preexec_fn=_die_with_parent,
            )

    def kill(self) -> None:
        """End it at once, as a crash would."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)

    def _command(self) -> list[str]:
        command = [
            *(sys.executable, "-m", "vllm.entrypoints.openai.api_server"),
            *("--model", str(self._checkpoint), "--served-model-name", "base"),
            *("--host", "127.0.0.1", "--port", str(self.port)),
            *("--max-model-len", "2048", "--max-num-seqs", "4", "--dtype", "bfloat16"),
            *("--enforce-eager", "--skip-mm-profiling"),
            *("--limit-mm-per-prompt", '{"image":8,"video":1}'),
            *self._options,
        ]
        if self._adapters:
            modules = [f"{name}={path}" for name, path in self._adapters]
            command += ["--enable-lora", "--max-lora-rank", "16", "--lora-modules", *modules]
        return command

    def wait(self) -> None:
        """Until it is healthy."""
        process = self._process
        assert process is not None
        for _ in range(LOOKS):
            if process.poll() is not None:
                raise RuntimeError(f"vLLM ended with {process.returncode}: see {self._log}")
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"http://127.0.0.1:{self.port}/health", timeout=2).status_code == 200:
                    return
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(LOOK_S)
        self.kill()
        raise RuntimeError(f"vLLM was not up in {LOOKS * LOOK_S:g} s: see {self._log}")


@contextlib.contextmanager
def serving(server: VllmServer) -> Iterator[VllmServer]:
    """Started, and ended in the end."""
    try:
        server.launch()
        server.wait()
        yield server
    finally:
        server.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
