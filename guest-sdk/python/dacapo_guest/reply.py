"""What the user did with a question."""

from dataclasses import dataclass
from typing import Generic, TypeVar

Form = TypeVar("Form")


@dataclass(frozen=True)
class Accept(Generic[Form]):
    """Filled in the form, which is here; or agreed to visit the page, and then it is `None`."""

    form: Form

    @property
    def accepted(self) -> Form | None:
        """The form."""
        return self.form


@dataclass(frozen=True)
class Decline:
    """Said no."""

    accepted = None


@dataclass(frozen=True)
class Cancel:
    """Dismissed the question without a choice."""

    accepted = None


#: One of the three. `reply.accepted` is the form, or `None` where the user did not accept.
Reply = Accept[Form] | Decline | Cancel
