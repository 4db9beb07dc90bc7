"""The documents behind the WebLogic family, and the short way to declare a setting from one of them."""

from simulations.parameters import Quantity, Verification
from simulations.platforms.shared.queues import cited

TUNING = "Tuning Message-Driven Beans"
BATCHING = "Using Batching with Message-Driven Beans"
DEPLOYMENT = "Deployment Elements for Message-Driven Beans"
TOPICS = "Configuring and Deploying MDBs Using JMS Topics"
WORK = "Using Work Managers to Optimize Scheduled Work"
BEANS = "WebLogic Server MBean Reference"
FLOW = "JMS Connection Factory: Configuration: Flow Control"
THRESHOLDS = "JMS Server: Configuration: Thresholds and Quotas"
JMS = "Tuning WebLogic JMS"
OWN_MODEL = "Sluice, model of WebLogic"


def setting(
    unit: str,
    document: str,
    native: str,
    title: str,
    *,
    sweep: bool = True,
    trust: Verification = "source",
    place: str = "",
) -> Quantity:
    """Return the declaration of a setting; its place in the document is the vendor's name unless given."""
    source = cited(document, place or native or title)
    return Quantity(unit, source=source, native=native, title=title, sweep=sweep, trust=trust)
