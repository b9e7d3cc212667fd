"""The reader: texts and pairs to tokens that fit a model, and the share of them it knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from cgs_rag.models.scripts import Scripts
from cgs_rag.text import encodable

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

_NO_LIMIT = 10**6  # transformers writes 10**30 where a tokenizer knows no limit
_USUAL_LIMIT = 512

Text = str | tuple[str, str]


class Tokens(NamedTuple):
    """A text or pair as the model reads it; ``coverage`` is the share seen and known, in [0, 1]."""

    ids: list[int]
    type_ids: list[int]
    coverage: float


@dataclass(frozen=True, slots=True)
class Reader:
    """Turns texts and pairs into tokens that fit the model.

    A token is known if it is not the unknown one and holds no letter of a script that the model
    does not read. One that holds n such letters counts as n tokens: as many as a model that knows
    the letters singly makes of them, where another has one "unknown" for a whole line of Thai.

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
        unread = self._unread_letters(text, encoding)
        content = sum(owner is not None for owner in owners)
        content += sum(letters - 1 for letters in unread.values())
        kept = self._kept(owners)
        seen = sum(
            owners[at] is not None and ids[at] != self.unknown_id and at not in unread
            for at in kept
        )
        if len(kept) < len(ids):
            ids, types = [ids[at] for at in kept], [types[at] for at in kept]
        return Tokens(ids, types, seen / content if content else 1.0)

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

    def _unread_letters(self, text: Text, encoding: Encoding) -> dict[int, int]:
        """For each token that holds letters of unread scripts, how many."""
        texts = (text,) if isinstance(text, str) else text
        unread = [self.scripts.unread(part) for part in texts]
        if not any(unread):
            return {}
        found = {}
        owned = zip(encoding.sequence_ids, encoding.offsets, strict=True)
        for at, (owner, (start, end)) in enumerate(owned):
            if owner is not None:
                letters = sum(c in unread[owner] for c in texts[owner][start:end])
                if letters:
                    found[at] = letters
        return found


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
