"""Charts: pure functions from results to Plotly figures, with a sentence and a table for each."""
