"""All kinds of result, with a folder for each."""
