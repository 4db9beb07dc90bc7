"""The schemas' order of children, as far as new elements need it."""

from simulations.platforms.files.syntax.insertion import order_beside

ORDER = order_beside(__file__)
