"""The web side: webhooks in, pages and figures out."""
