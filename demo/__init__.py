"""The product's main job on one machine, with nothing faked but GitHub's own servers."""
