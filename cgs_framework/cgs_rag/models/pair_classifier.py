"""The network of the bundled NLI model: both texts encoded together, pooled apart, a small head.

Import this only where torch is about to run: it is the one module that needs torch at import.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

LABELS = ("contradiction", "entailment", "neutral")


class PairClassifier(nn.Module):
    """Three-way NLI over a jointly encoded (premise, hypothesis) pair.

    The encoder reads ``[CLS] premise [SEP] hypothesis [SEP]``, so each text attends to the other.
    The tokens of each text are then averaged apart into u (premise) and v (hypothesis), scaled to
    length sqrt(width), and the head reads ``[u, v, |u - v|, u * v]``, the features of InferSent
    (Conneau et al. 2017, arXiv:1705.02364, section 3.2). all-MiniLM was trained for mean pooling,
    which leaves its [CLS] vector empty: a head on [CLS] does not learn from it.
    """

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        width = config.hidden_size
        self.encoder = BertModel(config, add_pooling_layer=False)
        self.hidden = nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(0.1)
        self.logits = nn.Linear(width, len(LABELS))

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Return the logits in the order of ``LABELS``, shape (n_pairs, 3).

        All inputs have shape (n_pairs, n_tokens); ``token_type_ids`` is 0 over the premise and 1
        over the hypothesis.
        """
        states = self.encoder(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        premise = attention_mask * (1 - token_type_ids)
        hypothesis = attention_mask * token_type_ids
        u, v = _pooled(states, premise), _pooled(states, hypothesis)
        features = torch.cat([u, v, (u - v).abs(), u * v], dim=-1)
        hidden = nn.functional.gelu(self.hidden(self.dropout(features)))
        logits: Tensor = self.logits(self.dropout(hidden))
        return logits


def _pooled(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask.unsqueeze(-1).to(states.dtype)
    mean = (states * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)
    scaled: Tensor = nn.functional.normalize(mean.float(), dim=-1) * float(states.shape[-1]) ** 0.5
    return scaled
