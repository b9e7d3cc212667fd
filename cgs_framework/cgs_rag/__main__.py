"""``python -m cgs_rag``: the command line."""

from cgs_rag.cli import main

main()
