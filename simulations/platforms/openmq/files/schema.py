"""Children in the order of GlassFish's document types."""

from simulations.platforms.files.syntax.insertion import order_beside

ORDER = order_beside(__file__)
