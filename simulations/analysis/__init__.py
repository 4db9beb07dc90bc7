"""What the numbers mean: metrics, estimators, formulas, findings and explanations."""
