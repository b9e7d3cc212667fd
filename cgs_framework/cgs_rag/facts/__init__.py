"""Facts that can be checked without a model: numbers, units, dates, names, negation.

``extraction`` finds them in a text, ``agreement`` says whether two values are one, and
``comparison`` whether a context holds those of a claim. ``respelled`` puts a claim into the
spelling of a text that holds its values.
"""
