"""Ids that nobody can guess, count or misread."""

import re

from planner.models.identity import ALPHABET, ID_LENGTH, RANDOM_LENGTH, public_id


def test_an_id_names_its_kind_and_fits_its_column() -> None:
    assert re.fullmatch(rf"run_[{ALPHABET}]{{{RANDOM_LENGTH}}}", public_id("run"))
    assert len(public_id("run")) <= ID_LENGTH


def test_the_alphabet_has_five_bits_and_no_letters_that_look_alike() -> None:
    assert len(set(ALPHABET)) == len(ALPHABET) == 2**5
    assert not set("iloU") & set(ALPHABET)


def test_ids_use_the_whole_alphabet_and_never_repeat() -> None:
    ids = [public_id("run") for _ in range(500)]
    assert len(set(ids)) == len(ids)
    assert {letter for one in ids for letter in one.removeprefix("run_")} == set(ALPHABET)
