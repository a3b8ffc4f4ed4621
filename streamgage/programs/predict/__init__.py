"""What bandwidth predicts, in each format."""
