"""Dataclasses as forms.

    @dataclass
    class Details:
        name: Annotated[str, Field("Your name", min_length=1)]
        seats: Annotated[int, Field("How many", minimum=1, maximum=9)] = 2
        diet: Literal["none", "vegan"] = "none"
        extras: list[Literal["bread", "water"]] | None = None

Forms are flat: a field is a `str`, `int`, `float`, `bool`, `date`, `datetime`, a `Literal` of texts to choose one from, or a
list of such a `Literal` to choose several from. A field with a default shows it, and takes it where the user leaves the field
empty; one that may be `None` is left to the user.
"""

import datetime
from typing import Any, Literal, get_args, get_origin

from wit_world.imports import elicitation as wit

from .field import Field, Format, Hint
from .schema import MISSING, Member, choices, decode_members, encode, members

_FORMATS: dict[Format, wit.TextFormat] = {
    "email": wit.TextFormat.EMAIL,
    "uri": wit.TextFormat.URI,
    "date": wit.TextFormat.DATE,
    "date-time": wit.TextFormat.DATE_TIME,
}


def fields(form: type) -> list[wit.Field]:
    """The fields that a dataclass asks for."""
    return [_field(form, member) for member in members(form)]


def filled_in(form: type, answers: list[wit.Answer]) -> Any:
    """The dataclass, made of what the user gave."""
    return form(**decode_members(members(form), {answer.name: answer.value.value for answer in answers}))


def _field(form: type, member: Member) -> wit.Field:
    name, hint, default = member
    taken = Hint.of(hint)
    required = default is MISSING and not taken.optional
    kind = _kind(taken.type, taken.field, None if default is MISSING else encode(default))
    if kind is None:
        raise TypeError(f"the field {name!r} of {form.__name__!r} is {taken.type}; expected one of those named in `form`")
    return wit.Field(name, taken.field.title, taken.field.description, required, kind)


def _kind(kind: Any, said: Field, default: Any) -> wit.FieldKind | None:
    if kind in (str, datetime.date, datetime.datetime):
        own = {datetime.date: "date", datetime.datetime: "date-time"}.get(kind, said.format)
        text = wit.TextField(said.min_length, said.max_length, own and _FORMATS[own], default)
        return wit.FieldKind_Text(text)
    if kind is bool:
        return wit.FieldKind_Boolean(wit.BooleanField(default))
    if kind is int:
        return wit.FieldKind_Integer(wit.IntegerField(said.minimum, said.maximum, default))
    if kind is float:
        return wit.FieldKind_Number(wit.NumberField(*map(_number, (said.minimum, said.maximum, default))))
    if get_origin(kind) is Literal:
        return wit.FieldKind_SingleChoice(wit.SingleChoiceField(_choices(kind, said), default))
    if get_origin(kind) is list and get_origin(get_args(kind)[0]) is Literal:
        offered = _choices(get_args(kind)[0], said)
        return wit.FieldKind_MultipleChoice(wit.MultipleChoiceField(offered, said.min_items, said.max_items, default))
    return None


def _choices(literal: Any, said: Field) -> list[wit.Choice]:
    labels = said.labels or {}
    return [wit.Choice(value, labels.get(value)) for value in choices(literal)]


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)
