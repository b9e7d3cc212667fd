"""Data sets of answers to judge, loaded from files, JSON and tables in memory."""

from cgs_rag.loaders.dataset import RagDataset, RagItem, RowProblem
from cgs_rag.loaders.loader import RagLoader

__all__ = ["RagDataset", "RagItem", "RagLoader", "RowProblem"]
