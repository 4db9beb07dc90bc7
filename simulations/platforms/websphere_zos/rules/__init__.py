"""The rules of WebSphere on z/OS as data, and the functions that check them."""
