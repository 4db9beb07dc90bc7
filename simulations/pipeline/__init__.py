"""Spark: sessions, rounds of replications, and what they leave in Parquet."""
