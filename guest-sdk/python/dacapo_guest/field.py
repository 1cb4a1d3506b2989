"""What is said of a field or an argument besides its type."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

#: The formats that a text may have.
Format = Literal["email", "uri", "date", "date-time"]


@dataclass(frozen=True)
class Field:
    """Stands in `Annotated[int, Field("How many", minimum=1)]`. All of it is optional."""

    #: What it is for.
    description: str | None = None
    #: Its name, for people.
    title: str | None = None
    #: The least and the greatest number of characters.
    min_length: int | None = None
    max_length: int | None = None
    #: What a text must look like.
    format: Format | None = None
    #: The least and the greatest value.
    minimum: float | None = None
    maximum: float | None = None
    #: The least and the greatest number of values of a list.
    min_items: int | None = None
    max_items: int | None = None
    #: What people see in place of the values of a `Literal`.
    labels: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Hint:
    """A type hint, taken apart."""

    #: The type, without `Annotated` and without `None`.
    type: Any
    #: What is said of it.
    field: Field
    #: Whether it may be `None`.
    optional: bool

    @classmethod
    def of(cls, hint: Any) -> "Hint":
        """Takes `Annotated[T | None, Field(...)]` apart, and all that is less than that."""
        field, optional = Field(), False
        while True:
            arguments = get_args(hint)
            if get_origin(hint) is Annotated:
                hint = arguments[0]
                field = next((said for said in arguments[1:] if isinstance(said, Field)), field)
            elif get_origin(hint) in (Union, UnionType):
                rest = [argument for argument in arguments if argument is not type(None)]
                if len(rest) != 1:
                    raise TypeError(f"{hint} is one of several types; expected one type, or one or None")
                hint, optional = rest[0], len(rest) < len(arguments) or optional
            else:
                return cls(hint, field, optional)
