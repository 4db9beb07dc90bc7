"""The presets: plain scenario files, and the code that reads them."""
