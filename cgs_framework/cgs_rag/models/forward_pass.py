"""The forward pass: tokens to numbers, in batches of like length, refused if not finite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.errors import BackendError
from cgs_rag.models.reader import Tokens

if TYPE_CHECKING:
    import torch

# Measured with MiniLM on one CPU thread, float32, 96 pairs of 17 to 100 tokens: batches of 8, 16
# and 32 took 12.5, 13.1 and 15.4 ms a pair. Padding to multiples of 8 or 32 only added work (2-8 %
# and 29-35 %): float32 kernels aren't compiled per shape.
_CPU_BATCH, _ACCELERATOR_BATCH = 16, 128

Inputs = dict[str, "torch.Tensor"]


class _Batch(NamedTuple):
    """Padded inputs, and the numbers of the rows they were made of."""

    rows: list[int]
    inputs: Inputs


@dataclass(frozen=True, slots=True)
class ForwardPass:
    """Runs a loaded network over the tokens of any number of texts.

    Attributes:
        forward: Gives an output of shape (n, width) for the inputs of n texts.
        width: Of the output.
        device: Where it runs.
        pad_id: Fills up the rows of a batch.
        with_types: Whether the network is told which text of a pair a token belongs to.
    """

    forward: Callable[[Inputs], torch.Tensor]
    width: int
    device: torch.device
    pad_id: int
    with_types: bool

    def run(self, tokens: Sequence[Tokens], name: str) -> NDArray[np.float32]:
        """The output for each text, shape (n, width), in the order of ``tokens``.

        Raises:
            BackendError: The network failed at work, or gave a number that isn't finite; the model
                is called ``name`` there.
        """
        import torch

        out = np.empty((len(tokens), self.width), dtype=np.float32)
        try:
            with torch.inference_mode():
                for rows, inputs in self._batches(tokens):
                    out[rows] = self.forward(inputs).float().cpu().numpy()
        except RuntimeError as error:  # out of memory among them
            raise BackendError(f"model {name!r} failed on {len(tokens)} texts: {error}") from error
        return finite(out, name)

    def _batches(self, tokens: Sequence[Tokens]) -> Iterator[_Batch]:
        """Rows of like length together, longest first."""
        import torch

        size = _CPU_BATCH if self.device.type == "cpu" else _ACCELERATOR_BATCH
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
            inputs = {name: torch.from_numpy(a).to(self.device) for name, a in arrays.items()}
            yield _Batch(rows, inputs)


def finite(values: NDArray[np.float32], name: str) -> NDArray[np.float32]:
    """The values, shape (n, width), if all are finite.

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
