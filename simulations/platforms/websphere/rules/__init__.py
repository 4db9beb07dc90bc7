"""The rules of WebSphere as data, and the functions that check them."""
