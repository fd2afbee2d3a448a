"""Builders of whole submission trees, held in memory, that the tests then break."""
