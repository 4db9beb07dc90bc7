"""Replications made ready for measuring: rows, samples, histograms, warm-up."""
