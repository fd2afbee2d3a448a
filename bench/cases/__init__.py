"""One module per case, each with ``TITLE`` and ``figures()``."""
