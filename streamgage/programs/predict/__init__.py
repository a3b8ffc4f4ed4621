"""Predicts how many workers a program can use, and writes the prediction in each format."""
