"""The documents, and what writes those that come from the declarations in the code."""
