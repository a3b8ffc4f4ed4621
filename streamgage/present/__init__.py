"""How an answer is shown: one format a file. Nothing here calculates or calls the engine."""
