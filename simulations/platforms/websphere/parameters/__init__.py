"""The settings of WebSphere, each declared once."""
