"""The settings of WebSphere on z/OS, each declared once."""
