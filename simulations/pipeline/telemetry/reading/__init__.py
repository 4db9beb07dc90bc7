"""From a file to checked rows, with an account of those put aside."""
