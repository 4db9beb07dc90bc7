"""The results store: tables in Parquet, written and read without Spark."""
