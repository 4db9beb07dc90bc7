"""What families of platforms share."""
