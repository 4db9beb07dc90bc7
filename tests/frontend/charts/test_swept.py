"""The axis of a swept setting: numbers at their place, words one after another."""

from frontend.charts.swept import Sweep, Swept


def swept(*numbers: float) -> Sweep:
    return Sweep("Limit", "messages", [Swept(f"{number:g}", {}, number=number) for number in numbers])


def test_numbers_stand_on_an_axis_over_decades_each_of_a_few_with_its_label() -> None:
    shown = swept(10, 100, 500, 1000).axis
    assert (shown["type"], shown["tickvals"]) == ("log", [10, 100, 500, 1000])
    assert shown["ticktext"] == ["10", "100", "500", "1000"]
    assert [round(end, 2) for end in shown["range"]] == [0.9, 3.1]
    assert "tickvals" not in swept(*range(1, 41)).axis


def test_near_numbers_stand_on_a_linear_axis() -> None:
    near = swept(100, 110).axis
    assert (near["type"], near["range"]) == ("linear", [99.5, 110.5])
    assert swept(100, 110).shaded(0, 0, "green/18")["x1"] == 105


def test_what_does_not_rise_has_one_place_for_each_value() -> None:
    for sweep in (swept(50, 10), swept(10), Sweep("Profile", "1", [Swept("IOBOUND", {}), Swept("CPUBOUND", {})])):
        assert sweep.axis["type"] == "category"
        assert sweep.places == [item.label for item in sweep.values]


def test_a_shape_over_decades_stands_at_its_number() -> None:
    zone = swept(10, 20, 1000).shaded(1, 1, "green/18")
    assert (round(zone["x0"], 2), round(zone["x1"], 2)) == (14.14, 141.42)
