"""How the bundled NLI model is made; not part of the installed package."""
