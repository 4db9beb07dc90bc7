"""Children in the order of GlassFish's document types."""

from simulations.declarations.tables import table_beside
from simulations.platforms.files.syntax.insertion import Order

ORDER: Order = table_beside(__file__, "schema.yaml")
