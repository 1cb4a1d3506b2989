"""Python types as JSON Schema, and JSON as Python values.

| Python | JSON Schema |
|---|---|
| `str`, `int`, `float`, `bool` | `string`, `integer`, `number`, `boolean` |
| `datetime.date`, `datetime.datetime` | a `string` with its format |
| `Literal["a", "b"]` | `enum`; with labels, `oneOf` of constants |
| `list[T]` | `array` |
| a dataclass | `object` |
| `dict`, `Any` | `object`, anything |
"""

import dataclasses
import datetime
import inspect
from collections.abc import Callable, Iterable
from typing import Any, Literal, get_args, get_origin, get_type_hints

from .field import Field, Hint

#: A member of an object: its name, its type hint, and its default or `MISSING`.
Member = tuple[str, Any, Any]

MISSING = dataclasses.MISSING

_PLAIN = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    dict: {"type": "object"},
    Any: {},
}


def members(dataclass: type) -> list[Member]:
    """The fields of a dataclass, in order."""
    hints = get_type_hints(dataclass, include_extras=True)
    return [(field.name, hints[field.name], _default(field)) for field in dataclasses.fields(dataclass) if field.init]


def _default(field: dataclasses.Field) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def parameters(function: Callable) -> list[Member]:
    """The parameters of a function after the first, in order."""
    hints = get_type_hints(function, include_extras=True)
    found = []
    for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
        if name not in hints:
            raise TypeError(f"the parameter {name!r} of {function.__name__!r} has no type hint; expected one")
        default = MISSING if parameter.default is parameter.empty else parameter.default
        found.append((name, hints[name], default))
    return found


def object_schema(members: Iterable[Member]) -> dict:
    """The schema of an object with these members. Those that have a default or may be `None` need not be given."""
    properties, required = {}, []
    for name, hint, default in members:
        properties[name] = schema(hint)
        if default is not MISSING and default is not None:
            properties[name]["default"] = encode(default)
        if default is MISSING and not Hint.of(hint).optional:
            required.append(name)
    return {"type": "object", "properties": properties} | ({"required": required} if required else {})


def schema(hint: Any) -> dict:
    """The schema of a type. A type that JSON has no equal for is a `TypeError`."""
    taken = Hint.of(hint)
    said = {
        "title": taken.field.title,
        "description": taken.field.description,
        "minLength": taken.field.min_length,
        "maxLength": taken.field.max_length,
        "format": taken.field.format,
        "minimum": taken.field.minimum,
        "maximum": taken.field.maximum,
        "minItems": taken.field.min_items,
        "maxItems": taken.field.max_items,
    }
    return _type_schema(taken.type, taken.field) | {name: value for name, value in said.items() if value is not None}


def _type_schema(kind: Any, field: Field) -> dict:
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    if get_origin(kind) is Literal:
        values = choices(kind)
        if field.labels is None:
            return {"type": "string", "enum": values}
        return {"type": "string", "oneOf": [{"const": value, "title": field.labels.get(value, value)} for value in values]}
    if get_origin(kind) is list:
        return {"type": "array", "items": _type_schema(Hint.of(get_args(kind)[0]).type, field)}
    if get_origin(kind) is dict:
        return {"type": "object"}
    if dataclasses.is_dataclass(kind):
        return object_schema(members(kind))
    raise TypeError(f"{kind} has no schema; expected one of those named in `dacapo_guest.schema`")


def choices(literal: Any) -> list[str]:
    """The values of a `Literal`, all of which must be texts."""
    values = list(get_args(literal))
    if not all(isinstance(value, str) for value in values):
        raise TypeError(f"{literal} holds values that are no text; expected texts only")
    return values


def encode(value: Any) -> Any:
    """A Python value as JSON. Members of dataclasses that are `None` are left out."""
    if dataclasses.is_dataclass(value):
        pairs = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {name: encode(member) for name, member in pairs if member is not None}
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: encode(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(member) for member in value]
    return value


def decode(hint: Any, value: Any) -> Any:
    """JSON, which fits the type's schema, as the type's value."""
    kind = Hint.of(hint).type
    if value is None:
        return None
    if kind is float:
        return float(value)
    if kind is int:
        return int(value)
    if kind is datetime.datetime:
        return datetime.datetime.fromisoformat(value)
    if kind is datetime.date:
        return datetime.date.fromisoformat(value)
    if get_origin(kind) is list:
        return [decode(get_args(kind)[0], member) for member in value]
    if dataclasses.is_dataclass(kind):
        return kind(**decode_members(members(kind), value))
    return value


def decode_members(members: Iterable[Member], values: dict) -> dict:
    """The members that are given, and `None` for those that may be and have no default."""
    decoded = {}
    for name, hint, default in members:
        if name in values:
            decoded[name] = decode(hint, values[name])
        elif default is MISSING:
            decoded[name] = None
    return decoded
