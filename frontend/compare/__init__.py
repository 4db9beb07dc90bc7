"""The Compare page, the basket of answers put aside, and baselines."""
