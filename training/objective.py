"""What a training run minimises."""

from __future__ import annotations

import torch
from torch import Tensor

from cgs_rag.models import CONTRADICTION, ENTAILMENT, NEUTRAL
from training.records import TARGETS

UNSUPPORTED = TARGETS.index("unsupported")
"""Its place; those of the first three are in ``cgs_rag.models``."""


def pair_loss(
    logits: Tensor, targets: Tensor, *, classes: int = 3, smoothing: float = 0.0
) -> Tensor:
    """Mean negative log-likelihood; "unsupported" scores log(p(contradiction) + p(neutral)).

    Args:
        logits: Shape (n, 3).
        targets: Places in ``TARGETS``, shape (n,).
        classes: 3; or 2: every row that is not entailed counts as "unsupported".
        smoothing: The share of the weight that all classes have alike, in [0, 1) (Szegedy et al.
            2016, arXiv:1512.00567, section 7).
    """
    log_p = torch.log_softmax(logits, dim=-1)
    not_entailed = torch.logsumexp(log_p[:, [CONTRADICTION, NEUTRAL]], dim=-1, keepdim=True)
    if classes == 2:
        targets = torch.where(targets == ENTAILMENT, ENTAILMENT, UNSUPPORTED)
    scores = torch.cat([log_p, not_entailed], dim=-1)
    likelihood = scores.gather(1, targets[:, None]).mean()
    if not smoothing:
        return -likelihood
    alike = scores[:, [ENTAILMENT, UNSUPPORTED]] if classes == 2 else log_p
    return -((1 - smoothing) * likelihood + smoothing * alike.mean())
