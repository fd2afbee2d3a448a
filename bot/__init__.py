"""The GitHub App: webhooks in, check runs out. The rules are package `checks`."""

from checks import __version__

__all__ = ["__version__"]
