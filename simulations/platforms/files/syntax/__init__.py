"""Hardened readers and writers of XML, YAML and text that keep line numbers."""
