"""What a command printed is not the place of a setting; another file may be."""

from simulations.platforms.files.importing.drafts import OUTPUT, unpatched
from simulations.platforms.shared.spots import Addition, New, Place, Spot


def test_only_the_places_in_outputs_go() -> None:
    here, there = Addition("a.txt", 0, New("x")), Addition("domain.xml", 0, New("x"))
    stated = Spot((Place("domain.xml", 1, 2),))
    spots = {"both": Spot((), (here, there)), "output": Spot((), (here,)), "none": stated}
    found = unpatched(spots, {"a.txt"})
    assert found == {"both": Spot((), (there,)), "output": Spot(), "none": stated}
    assert (found["output"].refusal, found["none"].refusal) == (OUTPUT, "")
