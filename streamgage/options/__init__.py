"""What a user chooses: how options are declared, and what their values mean."""
