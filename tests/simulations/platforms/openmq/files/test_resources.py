"""The adapter's options: pairs in one text, each with its place in the file."""

from simulations.platforms.openmq.files.resources import OptionList
from simulations.platforms.shared.spots import VALUE, Addition, Raw

FILE = b"<p>addressList=mq,maxPool=20,name=a\\,b,</p>"
TEXT = FILE[3:-4].decode()


def test_every_pair_has_the_bytes_of_its_value() -> None:
    pairs = list(OptionList(TEXT, "ra.xml", 3, 3 + len(TEXT)).pairs())
    assert [(key, value) for key, value, _ in pairs] == [("addressList", "mq"), ("maxPool", "20"), ("name", "a\\,b")]
    for _, value, place in pairs:
        assert place is not None
        assert FILE[place.start : place.end].decode() == value


def test_where_characters_are_not_bytes_no_place_is_told() -> None:
    text = "größe=7"
    assert list(OptionList(text, "ra.xml", 0, len(text.encode())).pairs()) == [("größe", "7", None)]


def test_a_value_that_is_missing_has_no_place() -> None:
    assert list(OptionList("flag=", "ra.xml", 0, 5).pairs()) == [("flag", "", None)]


def test_a_further_pair_comes_behind_a_comma_where_there_are_others() -> None:
    first, alone = (OptionList(text, "ra.xml", 5, 5 + len(text)).further("b") for text in ("a=1", " "))
    assert first == Addition("ra.xml", 8, Raw(f",b={VALUE}"))
    assert alone == Addition("ra.xml", 6, Raw(f"b={VALUE}"))
