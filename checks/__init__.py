"""The rules of MLPerf Storage and MLPerf Endpoints: a tree in, findings out.

Nothing here knows GitHub, git hosting or the web; package `bot` does.
"""

__version__ = "0.1.0"
