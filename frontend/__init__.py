"""The pages: scenarios, workbench, results, reports."""
