"""The network of a causal language model: token probabilities of texts, prompts read once."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.loading import first_line
from cgs_rag.text import encodable

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer

_LEAST_SHARED = 16
"""Tokens of a prompt below which a pass of its own is not worth it."""

_TOGETHER = 8
"""Answers to one prompt that go through the model together."""


class _Tokens(NamedTuple):
    """The tokens of prompt and answer; ``first`` is the place of the answer's first."""

    ids: list[int]
    first: int


@dataclass(frozen=True)
class CausalNetwork:
    """A loaded model.

    Attributes:
        name: As the caller gave it.
        model: Gives logits.
        tokenizer: Neither truncates nor pads.
        beginning: What the tokenizer puts before a text.
        limit: Most tokens of a text.
        device: Where it runs.
    """

    name: str
    model: Any
    tokenizer: Tokenizer
    beginning: list[int]
    limit: int
    device: torch.device

    def score(self, texts: Sequence[Forced]) -> list[TokenScores | Unscored]:
        """Score texts of one prompt."""
        rows = [self._read(text) for text in texts]
        found: list[TokenScores | Unscored] = [
            row if isinstance(row, Unscored) else Unscored("") for row in rows
        ]
        fit = [(at, row) for at, row in enumerate(rows) if isinstance(row, _Tokens)]
        for (at, _), scored in zip(fit, self._run([row for _, row in fit]), strict=True):
            found[at] = scored
        return found

    def reads_left_to_right(self) -> bool:
        """Whether the logits of a token leave out of account what comes after it."""
        import torch

        size = int(self.model.config.get_text_config().vocab_size)
        ids = torch.tensor([[1 % size, 2 % size, 3 % size], [1 % size, 2 % size, 0]])
        with torch.inference_mode():
            one, other = self.model(input_ids=ids.to(self.device)).logits[:, :2].float()
        return bool(torch.allclose(one, other, rtol=1e-3, atol=1e-3, equal_nan=True))

    def _read(self, text: Forced) -> _Tokens | Unscored:
        prompt = encodable(text.prompt)
        encoding = self.tokenizer.encode(prompt + encodable(text.answer), add_special_tokens=False)
        ids = [*self.beginning, *encoding.ids]
        n_before = sum(end <= len(prompt) for _, end in encoding.offsets)
        tokens = _Tokens(ids, len(self.beginning) + n_before)
        if tokens.first == len(ids):
            return Unscored("the answer has no tokens")
        if tokens.first == 0:
            return Unscored("nothing stands before the answer")
        if len(ids) > self.limit:
            return Unscored(
                f"prompt and answer are {len(ids):,} tokens, and at most {self.limit:,} are read"
            )
        return tokens

    def _run(self, rows: Sequence[_Tokens]) -> list[TokenScores | Unscored]:
        """Score rows that begin alike."""
        shared = _shared(rows) if self._keeps_what_it_read else 0
        step = _TOGETHER if shared else 1
        found: list[TokenScores | Unscored] = []
        try:
            cache = self._read_once(rows[0].ids[:shared]) if shared else None
        except RuntimeError as error:  # out of memory among them
            return [self._failed(error)] * len(rows)
        for start in range(0, len(rows), step):
            found += self._tried(rows[start : start + step], shared, cache)
        return found

    def _tried(
        self, rows: Sequence[_Tokens], shared: int, cache: Any
    ) -> list[TokenScores | Unscored]:
        """Score rows together; each by itself if that fails, as where memory is too small."""
        try:
            return [_scores(one) for one in self._logprobs(rows, shared, cache)]
        except RuntimeError as error:
            if len(rows) == 1:
                return [self._failed(error)]
        return [found for row in rows for found in self._tried([row], shared, cache)]

    def _failed(self, error: RuntimeError) -> Unscored:
        return Unscored(f"model {self.name!r} failed: {first_line(error)}")

    def _read_once(self, ids: list[int]) -> Any:
        """What the model keeps of tokens it has read, if anything."""
        import torch

        with torch.inference_mode():
            inputs = torch.tensor([ids], device=self.device)
            output = self.model(input_ids=inputs, use_cache=True, **self._last(1))
        return getattr(output, self._cache_name, None)

    @cached_property
    def _keeps_what_it_read(self) -> bool:
        """Whether that can be copied for several texts: not of recurrent models."""
        cache = self._read_once([0])
        parts = (cache, *getattr(cache, "layers", ()))
        return all(hasattr(part, "batch_repeat_interleave") for part in parts)

    def _logprobs(self, rows: Sequence[_Tokens], shared: int, cache: Any) -> list[list[float]]:
        """The log-probabilities of the answers' tokens, behind ``shared`` ones that were read."""
        import torch

        longest = max(len(row.ids) for row in rows)
        kept = longest - min(row.first for row in rows) + 1
        ids = torch.tensor(
            [row.ids[shared:] + [0] * (longest - len(row.ids)) for row in rows], device=self.device
        )
        mask = torch.tensor(
            [[1] * len(row.ids) + [0] * (longest - len(row.ids)) for row in rows],
            device=self.device,
        )
        options: dict[str, Any] = self._last(kept)
        with torch.inference_mode():
            if cache is not None:
                own = deepcopy(cache)  # the model adds to it
                own.batch_repeat_interleave(len(rows))
                options[self._cache_name] = own
            elif len(rows) == 1:
                options["use_cache"] = False
            logits = self.model(input_ids=ids, attention_mask=mask, **options).logits.float()
            logits = logits[:, -kept:]
            offset = longest - kept
            found = []
            for row, mine in zip(rows, logits, strict=True):
                # The logits at a place are those of the token behind it.
                told = mine[row.first - 1 - offset : len(row.ids) - 1 - offset]
                said = torch.tensor(row.ids[row.first :], device=self.device)[:, None]
                chosen = told.gather(1, said)[:, 0] - told.logsumexp(dim=1)
                found.append(chosen.clamp(max=0.0).tolist())
        return found

    def _last(self, count: int) -> dict[str, Any]:
        """The option by which logits of the last tokens only are worked out, if there is one."""
        return {"logits_to_keep": count} if "logits_to_keep" in self._parameters else {}

    @property
    def _cache_name(self) -> str:
        """What transformers calls what is kept: new releases another name than old ones."""
        return "cache" if "cache" in self._parameters else "past_key_values"

    @property
    def _parameters(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self.model.forward).parameters


def beginning_of(tokenizer: Tokenizer) -> list[int]:
    """What a tokenizer puts before a text by itself."""
    encoding = tokenizer.encode("a")
    special = [*encoding.special_tokens_mask, 0]
    return list(encoding.ids[: special.index(0)])


def _shared(rows: Sequence[_Tokens]) -> int:
    """How many tokens all rows begin with that are worth a pass of their own, or 0.

    The last token before an answer is never among them: its logits are those of the answer's first.
    """
    if len(rows) < 2:
        return 0
    columns = zip(*(row.ids for row in rows), strict=False)  # as far as the shortest
    common = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))
    shared = min(common, *(row.first - 1 for row in rows))
    return shared if shared >= _LEAST_SHARED else 0


def _scores(logprobs: Sequence[float]) -> TokenScores | Unscored:
    if not all(map(math.isfinite, logprobs)):
        return Unscored("the model gave probabilities that are no numbers")
    return TokenScores(tuple(logprobs))
