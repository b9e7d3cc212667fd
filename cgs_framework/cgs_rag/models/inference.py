"""What every local model shares: quiet loading, token counting, and batches by length."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.errors import BackendError, InvalidInputError
from cgs_rag.text import encodable

if TYPE_CHECKING:
    import torch
    from tokenizers import Encoding, Tokenizer

# Measured with MiniLM on one CPU thread, float32, 96 pairs of 17 to 100 tokens: batches of 8, 16
# and 32 took 12.5, 13.1 and 15.4 ms a pair. Padding to multiples of 8 or 32 only added work (2-8 %
# and 29-35 %): float32 kernels aren't compiled per shape.
_CPU_BATCH, _ACCELERATOR_BATCH = 16, 128
_NO_LIMIT = 10**6  # transformers writes 10**30 where a tokenizer knows no limit
_USUAL_LIMIT = 512
_loading = threading.RLock()

Inputs = dict[str, "torch.Tensor"]
Text = str | tuple[str, str]


class Tokens(NamedTuple):
    """A text or pair as the model reads it; ``coverage`` is the share seen and known, in [0, 1]."""

    ids: list[int]
    type_ids: list[int]
    coverage: float


@dataclass(frozen=True, slots=True)
class Reader:
    """Turns texts and pairs into tokens that fit the model.

    Attributes:
        tokenizer: Neither truncates nor pads.
        limit: Most tokens the model reads, special ones included.
        pad_id: Fills up the rows of a batch.
        unknown_id: Stands for what the model doesn't know; None if there is no such token.
        with_types: Whether the model is told which text of a pair a token belongs to.
    """

    tokenizer: Tokenizer
    limit: int
    pad_id: int
    unknown_id: int | None
    with_types: bool

    def read(self, texts: Sequence[Text]) -> list[Tokens]:
        """Tokenize texts or pairs; of a pair that is too long, the first text loses its end."""
        cleaned = [
            encodable(text) if isinstance(text, str) else (encodable(text[0]), encodable(text[1]))
            for text in texts
        ]
        encodings = self.tokenizer.encode_batch(cleaned)
        return [self._fit(encoding) for encoding in encodings]

    def _fit(self, encoding: Encoding) -> Tokens:
        ids, types, owners = encoding.ids, encoding.type_ids, encoding.sequence_ids
        content = sum(owner is not None for owner in owners)
        excess = len(ids) - self.limit
        if excess > 0:
            first = [at for at, owner in enumerate(owners) if owner == 0]
            second = [at for at, owner in enumerate(owners) if owner == 1]
            # The second text gives way only when nothing is left of the first.
            cut = set([*first[::-1], *second[::-1]][:excess])
            kept = [at for at in range(len(ids)) if at not in cut]
            ids, types = [ids[at] for at in kept], [types[at] for at in kept]
            owners = [owners[at] for at in kept]
        seen = sum(
            owner is not None and number != self.unknown_id
            for number, owner in zip(ids, owners, strict=True)
        )
        return Tokens(ids, types, seen / content if content else 1.0)

    def batches(
        self, tokens: Sequence[Tokens], device: torch.device
    ) -> Iterator[tuple[list[int], Inputs]]:
        """Yield row numbers and padded inputs; rows of like length together, longest first."""
        import torch

        size = _CPU_BATCH if device.type == "cpu" else _ACCELERATOR_BATCH
        order = sorted(range(len(tokens)), key=lambda row: -len(tokens[row].ids))
        for start in range(0, len(order), size):
            rows = order[start : start + size]
            shape = len(rows), max(1, len(tokens[rows[0]].ids))
            ids, mask, types = (np.zeros(shape, dtype=np.int64) for _ in range(3))
            ids += self.pad_id
            for at, row in enumerate(rows):
                length = len(tokens[row].ids)
                ids[at, :length], types[at, :length] = tokens[row].ids, tokens[row].type_ids
                mask[at, :length] = 1
            arrays = {"input_ids": ids, "attention_mask": mask}
            if self.with_types:
                arrays["token_type_ids"] = types
            yield rows, {name: torch.from_numpy(a).to(device) for name, a in arrays.items()}

    def run(
        self,
        tokens: Sequence[Tokens],
        forward: Callable[[Inputs], torch.Tensor],
        width: int,
        device: torch.device,
        name: str,
    ) -> NDArray[np.float32]:
        """The model's output for each row, shape (n, width), in the order of ``tokens``.

        Raises:
            BackendError: The model failed at work, or gave a number that isn't finite.
        """
        import torch

        out = np.empty((len(tokens), width), dtype=np.float32)
        try:
            with torch.inference_mode():
                for rows, inputs in self.batches(tokens, device):
                    out[rows] = forward(inputs).float().cpu().numpy()
        except RuntimeError as error:  # out of memory among them
            raise BackendError(f"model {name!r} failed on {len(tokens)} texts: {error}") from error
        return finite(out, name)


def reader_of(tokenizer: Any, limit: int) -> Reader:
    """The reader of a transformers tokenizer.

    Raises:
        ValueError: The tokenizer is not a fast one.
    """
    backend = getattr(tokenizer, "backend_tokenizer", None)
    return Reader(
        tokenizer=untruncated(backend),
        limit=limit,
        pad_id=tokenizer.pad_token_id or 0,
        unknown_id=tokenizer.unk_token_id,
        with_types="token_type_ids" in tokenizer.model_input_names,
    )


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


def device_of(device: str | None) -> torch.device:
    """The torch device; None is the CPU, on Apple computers too.

    Raises:
        InvalidInputError: There is no such device here.
    """
    import torch

    try:
        found = torch.device(device or "cpu")
        torch.empty(0, device=found)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise InvalidInputError(
            f"device={device!r} is not usable here ({str(error).splitlines()[0]}); "
            'take "cpu", or "cuda", "cuda:0" or "mps" where torch finds one'
        ) from error
    return found


def finite(values: NDArray[np.float32], name: str) -> NDArray[np.float32]:
    """The values, if all are finite.

    Raises:
        BackendError: Some are not.
    """
    bad = int((~np.isfinite(values).all(axis=1)).sum()) if values.size else 0
    if bad:
        raise BackendError(
            f"model {name!r} gave NaN or infinity for {bad} of {len(values)} texts; its weights "
            'are damaged or overflow on this device: fetch them again, or use device="cpu"'
        )
    return values


def loading_errors() -> tuple[type[Exception], ...]:
    """What loading raises when a model's files are damaged, incomplete or of an unknown kind."""
    from safetensors import SafetensorError

    return (
        AttributeError,
        ImportError,
        LookupError,
        OSError,
        RuntimeError,
        SafetensorError,
        TypeError,
        ValueError,
    )


def first_line(error: Exception) -> str:
    """What an error says in its first line, at most 160 characters; its type if it says nothing."""
    line = next(iter(str(error).strip().splitlines()), "") or type(error).__name__
    return line if len(line) <= 160 else f"{line[:157]}..."


@contextmanager
def quiet_loading() -> Iterator[None]:
    """Keep transformers' bar and load report off the console, for this thread's loads only."""
    from transformers.utils import logging as transformers_logging

    me = threading.get_ident()
    no_op: Any = transformers_logging.EmptyTqdm  # untyped

    def drop_mine(record: logging.LogRecord) -> bool:
        return record.thread != me

    def no_bar(factory: Any, arguments: Any, options: Any) -> Any:
        if threading.get_ident() == me:
            return no_op(*arguments, **options)
        return (
            factory(*arguments, **options)
            if before is None
            else before(factory, arguments, options)
        )

    logger = logging.getLogger("transformers.modeling_utils")
    set_hook = getattr(transformers_logging, "set_tqdm_hook", lambda _: None)  # since 5
    with _loading:
        before = set_hook(no_bar)
        logger.addFilter(drop_mine)
        try:
            yield
        finally:
            logger.removeFilter(drop_mine)
            set_hook(before)
