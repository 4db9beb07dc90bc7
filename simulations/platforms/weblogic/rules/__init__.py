"""The rules of WebLogic as data, and the functions that check them."""
