"""Settings for every test: property tests are repeatable unless a person asks for more.

No service that a test runs keeps its jobs among the user's own.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.fixture(scope="session", autouse=True)
def jobs_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache folder for services in this process, and one for those in processes of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STRAD_JOBS_FOLDER", str(tmp_path_factory.mktemp("jobs")))
        if jobs := sys.modules.get("service.jobs.jobs"):  # as far as any test imports it
            cache = tmp_path_factory.mktemp("cache")
            patch.setattr(jobs, "platform_cache", lambda: cache)
        yield


@pytest.fixture(scope="module", autouse=True)
def settled_memory() -> Iterator[None]:
    """What a module leaves is collected at its end, and what stays is not looked at again.

    Else, in a worker with a thousand tests behind it, the collector looks at a million objects now
    and then, and every clock that a test waits for stands for a second.
    """
    yield
    if "PYTEST_XDIST_WORKER" in os.environ:
        gc.collect()
        gc.freeze()
