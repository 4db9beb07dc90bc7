"""What a run says: quick answers, headlines, objectives, the choice and the gate of a pipeline."""
