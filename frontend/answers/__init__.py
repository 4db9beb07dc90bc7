"""What every page shows of one point: tiles, sentences, tables and marks."""
