"""Settings read as they are declared: by kind, in the vendor's unit, with the number that means no limit."""

from collections.abc import Mapping
from dataclasses import replace

from simulations.declarations.parameters import Declaration, PlatformParameters, parameters_of
from simulations.platforms.files.importing.drafts import Draft, is_filled_in, is_on, number_of
from simulations.platforms.files.syntax.tree import Account, Element

EMPTY = "empty: the default counts"
NO_LIMIT = "no limit, for which the setting has no value; enter the number that bounds it"
LARGEST = 2**63 - 1
"""The largest number that files hold: no limit."""
Addresses = Mapping[tuple[str, ...], Declaration]
"""Names that lead from an object to what states a setting of it."""


def read_value(draft: Draft, declared: Declaration, account: Account, element: Element, attribute: str = "") -> None:
    """Put what an element or an attribute of it says; nothing where it is empty or not there."""
    if attribute and attribute not in element.attributes:
        return
    path, text = f"{draft.path}.settings.{declared.name}", element.attributes[attribute] if attribute else element.text
    if declared.is_number:
        number = number_of(element, account, path, attribute)
        if number is not None and number == declared.quantity.no_limit:
            draft.unlimited.add(declared.name)
            draft.refused[declared.name] = f"the file says {number}: no limit"
            account.note("unresolved", element, path, f"{number}: {NO_LIMIT}", attribute)
        elif number is not None:
            draft.put(declared.name, _in_unit(declared, number), account, element, attribute)
    elif text.strip():
        draft.put(declared.name, _word(declared, text), account, element, attribute)
    else:
        account.note("defaulted", element, path, EMPTY, attribute)


def read_elements(draft: Draft, element: Element, addresses: Addresses, account: Account) -> None:
    """Put what the elements below an object say, and note where it would say what it leaves out."""
    for path, declared in addresses.items():
        found = element.child(*path)
        if found is not None:
            read_value(draft, declared, account, found)
        draft.room(declared.name, account, element, *path)


def read_attributes(draft: Draft, element: Element, addresses: Addresses, account: Account, *inside: str) -> None:
    """Put what the attributes of an element, or of one below it, say, and note those that it would have."""
    found = element.child(*inside)
    for (attribute,), declared in addresses.items():
        if found is not None:
            read_value(draft, declared, account, found, attribute)
        draft.room(declared.name, account, element, *inside, attribute=attribute)


def adapter_properties(
    model: type[PlatformParameters], pool: str, attempts: str, interval: str
) -> dict[str, Declaration]:
    """Return what the generic adapter for JMS, which counts in seconds, and those made from it call three settings."""
    settings = {item.name: replace(item, quantity=replace(item.quantity, factor=1.0)) for item in parameters_of(model)}
    pools = dict.fromkeys(("maxpoolsize", "endpointpoolmaxsize"), settings[pool])
    return {**pools, "redeliveryattempts": settings[attempts], "redeliveryinterval": settings[interval]}


def _in_unit(declared: Declaration, number: float) -> float:
    quantity = declared.quantity
    if quantity.unlimited is not None and (declared.maximum or LARGEST) >= LARGEST and number >= LARGEST:
        return int(quantity.unlimited)
    return number if quantity.factor == 1 else number / quantity.factor


def _word(declared: Declaration, text: str) -> bool | str:
    """A switch, one of the choices in whatever letters, or the text."""
    if is_filled_in(text):
        return text
    if declared.kind == "boolean":
        return is_on(text)
    return next((choice for choice in declared.choices if choice.lower() == text.strip().lower()), text)
