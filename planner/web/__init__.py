"""The web server's edge: applications, size limits, compression, downloads and outbound requests."""
