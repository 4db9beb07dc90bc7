"""Charts of a calibration: how messages arrive, how long they take, and the prediction against what was observed."""

from collections.abc import Mapping, Sequence
from typing import Any

from frontend.charts import parts
from frontend.charts.chart import Chart
from frontend.charts.parts import Figure, Numbers, axis, line, points, scaled, whiskers
from simulations.analysis.estimates.summary import Estimate, Scale, estimate_text, quantity, scale_of
from simulations.pipeline.telemetry.fitting.holdout import METRICS

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
TABLE_ROWS = 60
P95 = "latency.p95"
SIDES = ("predicted", "low", "high", "observed")
COURSE = {"present": ("in the system", "blue"), "waiting": ("waiting", "orange"), "busy": ("in process", "green")}
FROM_ZERO: Figure = {"rangemode": "tozero"}
DECADES: Figure = {"type": "log", "exponentformat": "none", "nticks": 8}
RATE_AXIS = axis("arrivals", "messages/s", **FROM_ZERO)
POISSON = 1.2
"""Index of dispersion up to which arrivals are called as irregular as independent ones."""


def rate_chart(queue: Mapping[str, Any]) -> Chart:
    """Arrivals per second over the log."""
    arrivals = queue["arrivals"]
    instants, rates = ([point[place] for point in arrivals["minutes"]] for place in (0, 1))
    scale = scale_of(max(instants, default=1.0), "s")
    time = scaled(instants, scale.factor)
    drawn = line(time, rates, name="arrivals", color="blue", unit="messages/s")
    kind = "steady" if arrivals["steady"] else "changing with time"
    burst = "as irregularly as independent ones" if arrivals["local"] <= POISSON else "in bursts"
    sentence = (
        f"{quantity(arrivals['rate'], '/s')} on average, {kind}; messages come {burst} "
        f"(index of dispersion {arrivals['local']:.2f}){_bursts(arrivals.get('bursts'))}."
    )
    figure = parts.figure([drawn], axis("time since the first message", scale.unit), RATE_AXIS)
    columns = (f"time [{scale.unit}]", "arrivals [messages/s]")
    return Chart("rate", f"Arrivals of {queue['name']}", sentence, figure, columns, _rows(time, rates))


def _bursts(bursts: Mapping[str, float] | None) -> str:
    if not bursts:
        return ""
    on, off = quantity(bursts["on_rate"], "/s"), quantity(bursts["off_rate"], "/s")
    lengths = [quantity(bursts[name], "s") for name in ("mean_on", "mean_off")]
    return f": {on} in bursts of {lengths[0]} on average, {off} between them for {lengths[1]}"


def dispersion_chart(queue: Mapping[str, Any]) -> Chart | None:
    """How irregular the counts in windows are, by the length of the window: in the log, and as the process has it."""
    found, process = queue["arrivals"]["dispersion"], queue["arrivals"].get("expected") or {}
    widths = sorted(found, key=float)
    if len(widths) < 2:
        return None
    time, log, fitted = [float(at) for at in widths], [found[at] for at in widths], [process.get(at) for at in widths]
    data = [line(time, log, name="log", color="blue", unit="")]
    if process:
        data.append(line(time, fitted, name="fitted process", color="orange", unit="", line={"dash": "dash"}))
    figure = parts.figure(
        data, axis("length of a window", "s", **DECADES), axis("variance over mean", "1", **FROM_ZERO)
    )
    at = log.index(max(log))
    own = f"; the fitted process has {fitted[at]:.3g}" if process else "; no formula tells that of the fitted process"
    sentence = (
        f"It is largest in windows of {quantity(time[at], 's')}: {log[at]:.3g}, where independent arrivals have 1{own}."
    )
    title, columns = f"Index of dispersion of {queue['name']}", ("window [s]", "log", "fitted process")
    return Chart("dispersion", title, sentence, figure, columns, _rows(time, log, fitted))


def week_chart(queue: Mapping[str, Any]) -> Chart | None:
    """Arrivals by hour of the week; None when the log covers less than a day of hours."""
    week: Sequence[float | None] = queue["arrivals"]["week"]
    known = [(hour, rate) for hour, rate in enumerate(week) if rate is not None]
    if len(known) < 24:
        return None
    names = [f"{DAYS[hour // 24]} {hour % 24:02d}:00" for hour in range(len(week))]
    busiest, most = max(known, key=lambda pair: pair[1])
    hover = "%{y:.4~g} messages/s<extra>%{x}</extra>"
    drawn = {"type": "bar", "x": names, "y": list(week), "name": "arrivals", "hovertemplate": hover}
    figure = parts.figure(
        [{**drawn, "marker": {"color": "@blue"}}], {"title": {"text": "hour of the week, UTC"}, "nticks": 8}, RATE_AXIS
    )
    sentence = f"The busiest hour of the week begins {names[busiest]} UTC with {quantity(most, '/s')}."
    rows = tuple((names[hour], f"{rate:.4g}") for hour, rate in known)
    return Chart("week", f"{queue['name']} by hour of the week", sentence, figure, ("hour", "messages/s"), rows)


def service_chart(queue: Mapping[str, Any]) -> Chart:
    """Share of service times above x, as measured and as fitted."""
    curve: Mapping[str, Numbers] = queue["curve"]
    scale = scale_of(queue["percentiles"]["p95"], "s")
    x = scaled(curve["time"], scale.factor)
    longer = "% take longer"
    measured = scaled(curve["measured"], 100)
    fitted = scaled([max(value or 0.0, 1e-9) for value in curve["fitted"]], 100) if curve["fitted"] else []
    data = [line(x, measured, name="measured", color="blue", unit=longer)]
    if curve["fitted"]:
        name = f"fitted: {queue['service']['kind']}"
        data.append(line(x, fitted, name=name, color="orange", unit=longer, line={"dash": "dash"}))
    shares = axis("longer deliveries", "%", type="log", exponentformat="none", range=[-3, 2])
    figure = parts.figure(data, axis("time of one delivery", scale.unit, **DECADES), shares)
    columns = (f"time [{scale.unit}]", "measured [%]", "fitted [%]")
    rows = _rows(x, measured, fitted or [None] * len(x))
    return Chart("service", f"Service time of {queue['name']}", _service_sentence(queue), figure, columns, rows)


def course_chart(queue: Mapping[str, Any]) -> Chart:
    """Mean numbers of messages in the system, waiting and in process, by block of time."""
    course: Mapping[str, Numbers] = queue["course"]
    scale = scale_of(max((value for value in course["time"] if value is not None), default=1.0), "s")
    time = scaled(course["time"], scale.factor)
    shown = {name: course[name] for name in COURSE if any(value is not None for value in course[name])}
    data = [
        line(time, values, name=COURSE[name][0], color=COURSE[name][1], unit="messages")
        for name, values in shown.items()
    ]
    numbers = axis("mean number", "messages", **FROM_ZERO)
    figure = parts.figure(data, axis("time since the first sample", scale.unit), numbers)
    sentence = (
        f"Mean time of one delivery {measured_text(queue['service_mean'])}; samples show no percentiles, so the shape "
        f"of these times is {queue['provenance']}: {queue['service']['kind']}."
    )
    columns = (f"time [{scale.unit}]", *(COURSE[name][0] for name in shown))
    title = f"Messages of {queue['name']}"
    return Chart("course", title, sentence, figure, columns, _rows(time, *shown.values()))


def checks_chart(checks: Sequence[Mapping[str, Any]]) -> Chart | None:
    """Predicted time with its interval beside the observed one, for each check; None when nothing was predicted."""
    shown = [check for check in checks if check["predicted"] is not None and check["observed"] is not None]
    if not shown:
        return None
    scale = scale_of(max(check["observed"] for check in shown), "s")
    names = [f"{check['queue']}, {check['kind']}: {METRICS[check.get('metric', P95)]}" for check in shown]
    sides = {name: scaled([check[name] for check in shown], scale.factor) for name in SIDES}
    intervals = [Estimate(check["predicted"], check["low"], check["high"], "s") for check in shown]
    data, checked = _checks_data(names, intervals, sides["observed"], scale), {"type": "category", "automargin": True}
    figure = parts.figure(data, axis("time", scale.unit), checked, hovermode="closest")
    columns = ("check", *(f"{name} [{scale.unit}]" for name in SIDES))
    rows = tuple((name, *(f"{v:.4g}" for v in values)) for name, *values in zip(names, *sides.values(), strict=True))
    count = sum(bool(check["validated"]) for check in checks)
    sentence = (
        f"{count} of {len(checks)} predictions lie within 10 % of what was observed and are sharp enough to tell."
    )
    return Chart("checks", "Predicted and observed", sentence, figure, columns, rows, wide=True)


def _checks_data(names: Sequence[str], predicted: Sequence[Estimate], observed: Numbers, scale: Scale) -> list[Figure]:
    return [
        points(
            scaled([item.value for item in predicted], scale.factor),
            names,
            name="predicted, 95 % interval",
            marker={"color": "@blue", "size": 10},
            hovertemplate=f"predicted %{{x:.4~g}} {scale.unit}<extra></extra>",
            error_x=whiskers(predicted, scale.factor, "blue", 2),
        ),
        points(
            observed,
            names,
            name="observed",
            marker={"color": "@vermillion", "size": 12, "symbol": "diamond-open", "line": {"width": 2}},
            hovertemplate=f"observed %{{x:.4~g}} {scale.unit}<extra></extra>",
        ),
    ]


def _service_sentence(queue: Mapping[str, Any]) -> str:
    service = queue["service"]
    text = f"Mean {measured_text(queue['service_mean'])}, coefficient of variation {queue['service_cv']['value']:.3g}; "
    if service["kind"] == "empirical":
        return f"{text}no family fits well, so the measured values themselves are used."
    return (
        f"{text}fit of {service['kind']}: {service['goodness']} (largest distance {100 * service['distance']:.2g} %)."
    )


def measured_text(value: Mapping[str, Any] | None) -> str:
    """Return a number of a log with its interval, of too few blocks of time without; empty where there is none."""
    if not value:
        return ""
    number, unit = value["value"], "" if value["unit"] == "messages" else value["unit"]
    low, high = (number, number) if value["low"] is None else (value["low"], value["high"])
    return estimate_text(Estimate(number, low, high, unit))


def _rows(*columns: Numbers) -> tuple[tuple[str, ...], ...]:
    picked = range(0, len(columns[0]), -(-len(columns[0]) // TABLE_ROWS) or 1)
    return tuple(tuple("–" if (v := column[at]) is None else f"{v:.4g}" for column in columns) for at in picked)
