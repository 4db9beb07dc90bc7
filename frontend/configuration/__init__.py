"""Import and export of vendor configuration."""
