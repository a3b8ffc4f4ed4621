"""What a language model reads for each token, by the headers of its files."""
