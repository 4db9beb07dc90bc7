"""JMS modules: files that the domain names and nobody gave, and what destinations leave to the connection factory."""

import pytest

from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse

CONFIG = b"""<domain xmlns="weblogic"><jms-system-resource><name>Orders Module</name>
<descriptor-file-name>jms/orders-jms.xml</descriptor-file-name></jms-system-resource></domain>"""
MODULE = b"""<weblogic-jms>
<queue name="q"><delivery-params-overrides><redelivery-delay>%s</redelivery-delay></delivery-params-overrides></queue>
<connection-factory name="f"><default-delivery-params>
<default-redelivery-delay>2500</default-redelivery-delay></default-delivery-params></connection-factory>
</weblogic-jms>"""


def of_modules(files: dict[str, bytes]) -> list[tuple[str, int, str]]:
    account = PLATFORMS["weblogic"].read(files).account
    return [(item.status, item.line, item.message) for item in account if item.path.startswith("JMS module")]


def test_a_module_whose_file_is_missing_is_unresolved_with_the_files_name() -> None:
    message = "its file jms/orders-jms.xml is missing: add it, destinations and connection factories stand in it"
    assert of_modules({"config.xml": CONFIG}) == [("unresolved", 2, message)]


@pytest.mark.parametrize("name", ["orders-jms.xml", "config/jms/Orders-jms.xml", "orders module-jms.xml"])
def test_a_module_whose_file_was_given_is_not_missing(name: str) -> None:
    found = of_modules({"config.xml": CONFIG, name: MODULE % b"-1"})
    assert found == [("understood", 2, "its file jms/orders-jms.xml was read")]


@pytest.mark.parametrize(("written", "delay"), [(b"-1", 2.5), (b"700", 0.7)])
def test_a_destination_of_minus_1_leaves_the_redelivery_delay_to_the_factory(written: bytes, delay: float) -> None:
    reading = PLATFORMS["weblogic"].read({"m-jms.xml": MODULE % written})
    assert parse(reading.scenario).queues[0].settings.model_dump()["redelivery_delay"] == delay
    stated = [(item.status, item.line) for item in reading.account if item.path == "queues.q.settings.redelivery_delay"]
    assert stated == [("understood", 2)]
