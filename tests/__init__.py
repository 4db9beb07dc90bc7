"""The tests. A package of its own name: some packages install one that is called `tests`, too."""
