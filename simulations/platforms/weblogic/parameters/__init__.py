"""The settings of WebLogic, each declared once."""
