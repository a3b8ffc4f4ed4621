"""The steps from the lines of nodes to their verdicts, each from values to new values.

``units`` -> ``model`` -> ``low`` -> ``decisions`` -> ``explained`` -> ``documented``
"""
