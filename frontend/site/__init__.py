"""What every page shares: base views, sign-in, the account, and what a page does as curl, Python and YAML."""
