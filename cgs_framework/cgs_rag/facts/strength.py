"""Whether a claim says more than the context: "always" of "usually", "all" of "some"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from cgs_rag.facts import checked
from cgs_rag.facts.checked import Checked
from cgs_rag.facts.context import Context
from cgs_rag.facts.stems import content, tokens


class _Scale(NamedTuple):
    """Words that say a thing without exception, and those that leave room for one."""

    strong: frozenset[str]
    weak: frozenset[str]


_SCALES = (
    _Scale(
        frozenset(["always", "invariably", "constantly"]),
        frozenset(
            re.findall(
                r"\S+",
                "usually often sometimes mostly typically generally occasionally normally "
                "frequently rarely seldom",
            )
        ),
    ),
    _Scale(
        frozenset(["all", "every", "entire", "entirely", "fully", "completely", "wholly"]),
        frozenset(["some", "most", "mostly", "partly", "partially"]),
    ),
    _Scale(
        frozenset(["certainly", "definitely", "guaranteed", "surely"]),
        frozenset(["may", "might", "possibly", "perhaps", "probably", "likely"]),
    ),
)

_SAME_BEHIND = 3
"""So many words that carry meaning must follow alike behind either: both say it of one thing."""

_LEAST_WORDS = 3
"""A claim of fewer other words that carry meaning repeats nothing."""

_SHARE = 0.8
"""The least share of these words that a sentence holds which says the same but for one."""

_MOST_READ = 3
"""So many such sentences, the most alike, are looked at."""

_DENIED = re.compile(
    r"\bnot\b|n['’]t\b|\bno\b|\bnever\b|\bwithout\b|\bunless\b|\bexcept", re.IGNORECASE
)


def overstated(claim: str, context: Context) -> Checked | None:
    """A word of a claim that is stronger than that of a sentence it repeats; or None.

    Only where nearly all other words of the claim stand in the sentence, neither denies anything,
    and no other sentence among the most alike has a strong one.

    Args:
        claim: The claim.
        context: The context.
    """
    words = tokens(claim)
    pairs = [
        (word, scale) for word in dict.fromkeys(words) for scale in _SCALES if word in scale.strong
    ]
    if not pairs or _DENIED.search(claim):
        return None
    wanted = frozenset(content(claim)) - {part for word, _ in pairs for part in content(word)}
    if len(wanted) < _LEAST_WORDS:
        return None
    near = _near(wanted, context)
    for word, scale in pairs:
        found = _weaker(word, scale, words, near, context)
        if found is not None:
            return found
    return None


def _near(wanted: frozenset[str], context: Context) -> list[int]:
    """The sentences that say the same but for a word, the most alike first."""
    shares = [len(wanted & stems) / len(wanted) for stems in context.stems]
    near = sorted((-share, at) for at, share in enumerate(shares) if share >= _SHARE)
    return [at for _, at in near[:_MOST_READ]]


def _weaker(
    word: str, scale: _Scale, words: Sequence[str], near: Sequence[int], context: Context
) -> Checked | None:
    mine = frozenset(words)
    found = None
    for at in near:
        sentence = context.text(at)
        said = tokens(sentence)
        if not scale.strong.isdisjoint(said):
            return None
        weak = next((one for one in said if one in scale.weak - mine), None)
        if weak is not None and not _go_on_alike(words, word, said, weak):
            continue
        if found is None and weak is not None and not _DENIED.search(sentence):
            found = checked.stronger(word, at, weak)
    return found


def _go_on_alike(ours: Sequence[str], mine: str, theirs: Sequence[str], other: str) -> bool:
    """Whether what stands behind a word of each of two texts begins alike, as far as both go on."""
    one, two = _behind(ours, mine), _behind(theirs, other)
    shared = min(len(one), len(two))
    return shared > 0 and one[:shared] == two[:shared]


def _behind(words: Sequence[str], word: str) -> list[str]:
    return content(" ".join(words[words.index(word) + 1 :]))[:_SAME_BEHIND]
