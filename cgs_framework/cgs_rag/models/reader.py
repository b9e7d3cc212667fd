"""The reader: texts and pairs to tokens that fit a model, and the share of the text it knows."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple

from cgs_rag.models.scripts import Scripts
from cgs_rag.text import encodable, has_content, words

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

_NO_LIMIT = 10**6  # transformers writes 10**30 where a tokenizer knows no limit
_USUAL_LIMIT = 512

# What became of a character: no token holds it, one that is seen and known does, or another does.
_DROPPED, _SEEN, _MISSED = b"\0", b"\1", b"\2"
_IS_DROPPED, _IS_SEEN, _IS_MISSED = (
    bytes(state == only[0] for state in range(256)) for only in (_DROPPED, _SEEN, _MISSED)
)

Text = str | tuple[str, str]


class Tokens(NamedTuple):
    """A text or pair as the model reads it; ``coverage`` is the share seen and known, in [0, 1].

    Of a pair it is the share of the text that is seen less, and 0 where the second text was cut,
    nothing is left of the first, or the second holds what is not known and stands nowhere in the
    first: to the model, all that it doesn't know is the same.
    """

    ids: list[int]
    type_ids: list[int]
    coverage: float


@dataclass(frozen=True, slots=True)
class Reader:
    """Turns texts and pairs into tokens that fit the model.

    A token is known if it is not the unknown one and holds no letter that the model does not read.
    The share of a text that is known goes by characters other than spaces, for one "unknown" may
    stand for a whole line of Thai. Marks and control characters that the tokenizer drops, such as
    the accents that uncased models do without, do not count.

    Attributes:
        tokenizer: Neither truncates nor pads.
        scripts: What its vocabulary reads.
        limit: Most tokens the model reads, special ones included.
        unknown_id: Stands for what the model doesn't know; None if there is no such token.
    """

    tokenizer: Tokenizer
    scripts: Scripts
    limit: int
    unknown_id: int | None

    @classmethod
    def of(cls, tokenizer: Any, limit: int, unknown_id: int | None) -> Reader:
        """The reader of a fast tokenizer, which itself stays as it is.

        Raises:
            ValueError: It is not a fast tokenizer.
        """
        copy = untruncated(tokenizer)
        return cls(copy, Scripts(copy), limit, unknown_id)

    def read(self, texts: Sequence[Text]) -> list[Tokens]:
        """Tokenize texts or pairs; of a pair that is too long, the first text loses its end."""
        cleaned = [
            encodable(text) if isinstance(text, str) else (encodable(text[0]), encodable(text[1]))
            for text in texts
        ]
        encodings = self.tokenizer.encode_batch(cleaned)
        return [self._fit(*row) for row in zip(cleaned, encodings, strict=True)]

    def _fit(self, text: Text, encoding: Encoding) -> Tokens:
        ids, types, owners = encoding.ids, encoding.type_ids, encoding.sequence_ids
        kept = self._kept(owners)
        coverage = self._coverage(text, encoding, kept)
        if len(kept) < len(ids):
            ids, types = [ids[at] for at in kept], [types[at] for at in kept]
        return Tokens(ids, types, coverage)

    def _coverage(self, text: Text, encoding: Encoding, kept: Sequence[int]) -> float:
        texts = (text,) if isinstance(text, str) else text
        owners, offsets = encoding.sequence_ids, encoding.offsets
        missed = set(range(len(owners))).difference(kept)
        if len(texts) == 2 and missed:
            cut, left = {owners[at] for at in missed}, {owners[at] for at in kept}
            if 1 in cut or (0 in owners and 0 not in left):
                return 0.0
        unknown = self._unknown(texts, encoding)
        if len(texts) == 2 and unknown:
            parts = [
                [offsets[at] for at in unknown if owners[at] == owner]
                for owner in range(len(texts))
            ]
            if _may_differ(texts, parts):
                return 0.0
        states = _states(texts, encoding, missed.union(unknown))
        return min(map(_share_seen, texts, states))

    def _unknown(self, texts: Sequence[str], encoding: Encoding) -> list[int]:
        """The positions of tokens that stand for what the model doesn't know."""
        unread = [self.scripts.unread(part) for part in texts]
        return [
            at
            for at, (token, owner, (start, end)) in enumerate(
                zip(encoding.ids, encoding.sequence_ids, encoding.offsets, strict=True)
            )
            if owner is not None
            and (token == self.unknown_id or not unread[owner].isdisjoint(texts[owner][start:end]))
        ]

    def _kept(self, owners: Sequence[int | None]) -> Sequence[int]:
        """The positions that fit, ``owners`` naming the text of each token: 0, 1 or None."""
        excess = len(owners) - self.limit
        if excess <= 0:
            return range(len(owners))
        first = [at for at, owner in enumerate(owners) if owner == 0]
        second = [at for at, owner in enumerate(owners) if owner == 1]
        # The second text gives way only when nothing is left of the first.
        cut = set([*first[::-1], *second[::-1]][:excess])
        return [at for at in range(len(owners)) if at not in cut]


def _states(texts: Sequence[str], encoding: Encoding, missed: Iterable[int]) -> list[bytearray]:
    """What became of each character."""
    owners, offsets = encoding.sequence_ids, encoding.offsets
    states = [bytearray(len(part)) for part in texts]
    for owner, (start, end) in zip(owners, offsets, strict=True):
        if owner is not None:
            states[owner][start:end] = _SEEN * (end - start)
    # Afterwards, for of a character spread over several tokens all must be seen.
    for at in missed:
        owner, (start, end) = owners[at], offsets[at]
        if owner is not None:
            states[owner][start:end] = _MISSED * (end - start)
    return states


def _may_differ(texts: Sequence[str], unknown: Sequence[Sequence[tuple[int, int]]]) -> bool:
    """Whether what is not known of two texts may mean something else in the second.

    Symbols may be there for decoration, unless the first text has another one in the same place.
    """
    first, second = texts
    new = [(at, end) for at, end in unknown[1] if second[at:end] not in first]
    gone = [(at, end) for at, end in unknown[0] if first[at:end] not in second]
    if any(has_content(second[at:end]) for at, end in new):
        return True
    places = {_place(first, *span) for span in gone}
    return any(_place(second, *span) in places for span in new)


def _place(text: str, start: int, end: int) -> tuple[str, ...]:
    """The two words before a span; where none stands before it, the two after it."""
    before = words(text[:start])[-2:]
    return tuple(before) if before else ("", *words(text[end:])[:2])


def _share_seen(text: str, states: bytearray) -> float:
    dropped = _solid(compress(text, states.translate(_IS_DROPPED)))
    missed = sum(unicodedata.category(character)[0] not in "MCZ" for character in dropped)
    if _MISSED in states:
        missed += len(_solid(compress(text, states.translate(_IS_MISSED))))
    if not missed:
        return 1.0
    seen = len(_solid(compress(text, states.translate(_IS_SEEN))))
    return seen / (seen + missed)


def _solid(characters: Iterable[str]) -> str:
    return "".join("".join(characters).split())


def untruncated(tokenizer: Any) -> Tokenizer:
    """A copy of a fast tokenizer that neither truncates nor pads.

    Raises:
        ValueError: It is not a fast tokenizer.
    """
    from tokenizers import Tokenizer

    if not isinstance(tokenizer, Tokenizer):
        raise ValueError("it has no fast tokenizer, without which coverage can't be told")  # noqa: TRY004 - the model's fault, not the caller's type
    copy = Tokenizer.from_str(tokenizer.to_str())
    copy.no_truncation()
    copy.no_padding()
    copy.encode_special_tokens = True  # of a text, "[SEP]" is five characters like any others
    return copy


def token_limit(tokenizer: Any, model: Any) -> int:
    """Most tokens a transformers model reads, special ones included."""
    positions = getattr(model.config, "max_position_embeddings", None) or _NO_LIMIT
    # RoBERTa and its kin number positions from padding_idx + 1, so that many are not for tokens.
    for module in model.modules():
        offset = getattr(module, "padding_idx", None)
        if isinstance(offset, int) and hasattr(module, "position_embeddings"):
            positions -= offset + 1
            break
    limit = min(int(tokenizer.model_max_length or _NO_LIMIT), positions)
    return limit if 0 < limit < _NO_LIMIT else _USUAL_LIMIT
