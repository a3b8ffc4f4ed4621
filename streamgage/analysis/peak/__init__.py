"""The theoretical peak of the memory in use: from the user, the modules or the model."""
