"""What a command printed is not the place of a setting; another file may be."""

from simulations.platforms.files.importing.drafts import OUTPUT, Draft, unpatched
from simulations.platforms.shared.spots import Addition, New


def test_only_the_places_in_outputs_go() -> None:
    here, there = Addition("a.txt", 0, New("x")), Addition("domain.xml", 0, New("x"))
    draft = Draft("servers", "server", lacking={"both": (here, there), "output": (here,)})
    unpatched([draft], "a.txt")
    assert draft.lacking == {"both": (there,)}
    assert draft.refused == {"output": OUTPUT}
