"""Measured memory bandwidth of cloud server types: ``servers.csv``, which streamgage reads.

Derived from github.com/SpareCores/sc-inspector-data, CC BY-SA 4.0.
"""
