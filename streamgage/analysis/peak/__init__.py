"""The theoretical peak of the memory in use: given, from the memory modules, or of the model."""
