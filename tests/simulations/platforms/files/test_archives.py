"""Archives are read within limits, whatever somebody made them to be."""

import io
import struct
import zipfile
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.declarations.problems import InvalidInput
from simulations.platforms.files import archives
from simulations.platforms.files.archives import Budget, clean_path, is_archive, is_worth_reading, members
from tests.examples import examples


def packed(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def paths(content: bytes) -> list[str]:
    return [item.path for item in members("a.ear", content, Budget())]


def refusal(content: bytes) -> str:
    with pytest.raises(InvalidInput) as refused:
        paths(content)
    return str(refused.value)


def test_what_may_be_configuration_is_found_also_in_archives_inside() -> None:
    beans = packed({"META-INF/ejb-jar.xml": b"<ejb-jar/>", "Bean.class": b"x"})
    content = packed({"META-INF/application.xml": b"<a/>", "beans.jar": beans, "lib/other.jar": beans})
    assert is_archive(content)
    assert paths(content) == ["a.ear/META-INF/application.xml", "a.ear/beans.jar/META-INF/ejb-jar.xml"]
    assert paths(packed({"b.zip": packed({"c.ear": packed({"d.jar": beans})})})) == []
    assert paths(packed({"b.ear": packed({"c.jar": beans})})) == ["a.ear/b.ear/c.jar/META-INF/ejb-jar.xml"]


@pytest.mark.parametrize(
    ("path", "clean"), [("../../etc/x.xml", "etc/x.xml"), ("C:\\a\\.\\b.xml", "C:/a/b.xml"), ("/x//y.xml", "x/y.xml")]
)
def test_no_path_leads_out(path: str, clean: str) -> None:
    assert clean_path(path) == clean
    assert paths(packed({path: b"<a/>"})) == [f"a.ear/{clean}"]


@pytest.mark.parametrize("path", ["lib/a.xml", "config/backup/config.xml", "a.class", "config_prev/config.xml", "b"])
def test_libraries_copies_and_programs_are_passed_over(path: str) -> None:
    assert not is_worth_reading(path)


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "grows more than 200 times" in refusal(packed({"a.xml": b"\0" * 4_000_000}))
    assert "more than 5,000,000 bytes" in refusal(packed({"a.xml": b"\0" * 6_000_000}))
    monkeypatch.setattr(archives, "MAX_RATIO", 10**6)
    many = packed({f"{number}.xml": b"\0" * 4_900_000 for number in range(14)})
    assert "holds more than 64,000,000 bytes" in refusal(many)
    assert "holds more than 64,000,000 bytes" in refusal(packed({"a.zip": many}))


def test_too_many_entries_are_refused_before_they_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_ENTRIES", 3)
    assert "more than 3 entries" in refusal(packed({f"{number}.xml": b"" for number in range(4)}))


def test_what_is_encrypted_or_packed_in_another_way_is_refused() -> None:
    content = bytearray(packed({"a.xml": b"<a/>"}))
    struct.pack_into("<H", content, content.index(b"PK\x01\x02") + 8, 1)
    assert "is encrypted" in refusal(bytes(content))
    assert "packed in a way that is not read" in refusal(packed({"a.xml": b"<a/>"}, zipfile.ZIP_LZMA))


def test_damaged_archives_are_refused_with_their_name() -> None:
    whole = packed({"a.xml": b"<a>some text</a>" * 50, "b.jar": packed({"c.xml": b"<c/>"})})

    @examples(60, nightly=5_000)
    @given(place=st.integers(0, len(whole) - 1), value=st.integers(0, 255), end=st.integers(1, len(whole)))
    def check(place: int, value: int, end: int) -> None:
        for broken in (whole[:place] + bytes([value]) + whole[place + 1 :], whole[:end]):
            try:
                found = paths(broken)
            except InvalidInput as error:
                assert error.problems[0].path.startswith("a.ear")
            else:
                assert len(found) <= 2

    check()


def test_many_small_files_are_refused() -> None:
    assert "more than 5,000 files" in refusal(packed({f"{number}.xml": b"" for number in range(5_001)}))
