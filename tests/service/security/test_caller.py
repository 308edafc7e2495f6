"""A caller may do what its scopes and patterns say, and nothing else."""

from __future__ import annotations

import pytest

from service.security.caller import Caller, Quota, Scope, check_patterns, parse_scopes
from strad.errors import ForbiddenError, InputError

pytestmark = pytest.mark.unit

QUOTA = Quota(1, 1, 1.0)


def caller(*scopes: Scope, streams: tuple[str, ...] = ("*",)) -> Caller:
    return Caller("key:a", frozenset(scopes), QUOTA, streams)


def test_a_scope_is_for_itself_and_admin_for_all() -> None:
    caller(Scope.PUBLISH).check(Scope.PUBLISH, "news")
    caller(Scope.ADMIN).check(Scope.SUBSCRIBE, "news")
    caller().check(None)
    for has, wants in ((Scope.PUBLISH, Scope.SUBSCRIBE), (Scope.SUBSCRIBE, Scope.ADMIN)):
        with pytest.raises(ForbiddenError, match=f"not for {wants}"):
            caller(has).check(wants)


@pytest.mark.parametrize(
    ("pattern", "stream", "fits"),
    [
        ("*", "news", True),
        ("news", "news", True),
        ("news", "news2", False),
        ("news-*", "news-1", True),
        ("news-*", "sport-1", False),
        ("*.live", "a.live", True),
        ("*.live", "aXlive", False),
        ("a*b*c", "a1b2c", True),
        ("n.ws", "news", False),
    ],
)
def test_a_pattern_names_streams(pattern: str, stream: str, fits: bool) -> None:
    who = caller(Scope.PUBLISH, streams=(pattern,))
    if fits:
        who.check(Scope.PUBLISH, stream)
    else:
        with pytest.raises(ForbiddenError, match="other streams"):
            who.check(Scope.PUBLISH, stream)


def test_scopes_are_read_from_texts_and_lists_and_nothing_else() -> None:
    both = frozenset({Scope.PUBLISH, Scope.ADMIN})
    assert parse_scopes("publish openid admin") == both
    assert parse_scopes(["publish", "admin", 7]) == both
    for nothing in (None, 7, {"publish": True}, ""):
        assert parse_scopes(nothing) == frozenset()


@pytest.mark.parametrize("wrong", [7, None, [7], "", "a/b", ["ok", "a b"], "x" * 65])
def test_what_is_no_pattern_is_refused(wrong: object) -> None:
    with pytest.raises(InputError, match="stream pattern"):
        check_patterns(wrong)
