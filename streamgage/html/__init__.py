"""Results as one page to send to a colleague: HTML that needs no network, Markdown, PDF."""
