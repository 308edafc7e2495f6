"""Questions as people might ask them: the templates of our own bank, filled in by chance.

Films differ: what fills a slot hardly ever comes twice, so that it makes no cluster of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from question_generation.cinepile.template import own_bank

_FIRST = """
Rachel Ross Monica Chandler Phoebe Joey Ted Barney Robin Lily Marshall Sheldon Leonard Penny Rajesh
Walter Skyler Jesse Hank Michael Sonny Kay Ellen Dallas Luke Leia Neo Trinity Forrest Jenny Amelie
Ingrid Tomas Farid Aisha Kenji Olga Pedro Lucia Marcel Claire Hugo Nadia Viktor Elsa Bruno Greta
"""
_LAST = """
House Mercer Lamar Holloway Fowler Pinkman Corleone Adams Ripley Skywalker Gump Berger Novak Haddad
Tanaka Ivanova Alvarez Moreau Duval Petrov Lindqvist Keller Brandt Osei Walsh Quinn Sato Ferrari
"""
_TITLES = "Dr.|Mrs.|Mr.|Captain|Detective|Professor|Officer"
_TOWNS = """
Paris|Boston|Las Vegas|Rome|New York|Cairo|Lisbon|Tokyo|Berlin|Chicago|Dublin|Madrid|Oslo|Vienna
"""
_KINDS = """
old red broken wooden empty heavy little golden dusty torn silver hidden burning borrowed stolen
wet folded huge painted rusty forgotten crowded flooded abandoned narrow
"""
_ROOMS = """
station kitchen mill courtroom rooftop harbour school hospital library taxi museum attic garage
restaurant church office beach cellar theatre prison barn hotel airport bridge tunnel market garden
stable lighthouse factory laboratory ballroom cabin quarry
"""
_THINGS = """
letter suitcase gun photograph ring clock map phone bottle violin key newspaper cake lantern diary
ladder coat umbrella painting candle knife ticket radio mask rope chess-board helmet basket mirror
envelope bicycle drum necklace trumpet
"""
_EVENTS = """
wedding robbery funeral crash party trial storm explosion interview break-up match flood auction
kidnapping dinner election shipwreck duel reunion concert blackout avalanche strike escape harvest
parade burglary earthquake rehearsal operation
"""
_DEEDS = """
leave|sell|steal|paint|hide|repair|buy|burn|find|return|open|move|break|share|guard|lose|win|clean
"""
_FEELINGS = "fear anger jealousy guilt joy doubt grief shame pride relief"
_MOMENTS = (
    "as the {0} bell rings|when the {0} lights go out|after the {0} call|before the {0} guests come"
)
_SLOT = re.compile(r"\[([^\]]+)\]")


def _person(chance: Random) -> str:
    first, last = chance.choice(_FIRST.split()), chance.choice(_LAST.split())
    titled = f"{chance.choice(_TITLES.split('|'))} {last}"
    return chance.choice((first, first, first, f"{first} {last}", titled))


def _place(chance: Random) -> str:
    town = chance.choice(_TOWNS.strip().split("|"))
    return chance.choice((town, f"the {_one(_KINDS, chance)} {_one(_ROOMS, chance)}"))


def _thing(chance: Random) -> str:
    return f"the {_one(_KINDS, chance)} {_one(_THINGS, chance)}"


def _event(chance: Random) -> str:
    return f"the {_one(_EVENTS, chance)} at the {_one(_ROOMS, chance)}"


def _act(chance: Random) -> str:
    return f"{chance.choice(_DEEDS.strip().split('|'))} {_thing(chance)}"


def _doing(chance: Random) -> str:
    return f"{chance.choice(_DEEDS.strip().split('|')).rstrip('e')}ing {_thing(chance)}"


def _moment(chance: Random) -> str:
    return chance.choice(_MOMENTS.split("|")).format(_one(_ROOMS, chance))


def _one(words: str, chance: Random) -> str:
    return chance.choice(words.split())


FILLS: Mapping[str, Callable[[Random], str]] = MappingProxyType(
    {
        **dict.fromkeys(("person", "other", "name"), _person),
        **dict.fromkeys(("event", "occasion", "happening"), _event),
        "place": _place,
        "object": _thing,
        "act": _act,
        "doing": _doing,
        "feeling": lambda chance: _one(_FEELINGS, chance),
        "moment": _moment,
    }
)


def asked(of_each: int, seed: int = 0) -> list[tuple[str, int]]:
    """So many questions of each template, none twice, with the template's place; in no order."""
    chance = Random(seed)
    found: dict[str, int] = {}
    for at, template in enumerate(own_bank().templates):
        mine: set[str] = set()
        for _ in range(100 * of_each):
            if len(mine) == of_each:
                break
            mine.add(_SLOT.sub(lambda slot: FILLS[slot[1]](chance), template.template))
        found |= dict.fromkeys(sorted(mine), at)
    rows = list(found.items())
    chance.shuffle(rows)
    return rows
