"""streamgage: the memory-bandwidth benchmark that can be run and expected to give the right answer.

Imports run one way: records, plan, result <- analysis, engine <- studies <- present <- cli.
"""
