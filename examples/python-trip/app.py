"""A tool in Python that asks two questions and then books, once.

It shows a form with every kind of field, a second question that depends on the first answer, progress, a value that is
worked out once, and an error that the model reads. The function runs three times in a conversation of three round trips, and
each run finds the answers given so far.
"""

import random
import time
import uuid
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

from dacapo_guest import Accept, Context, Field, ToolError, tool, tools

CLASSES = {"economy": "Economy", "business": "Business"}


@dataclass
class Wishes:
    """How to travel."""

    email: Annotated[str, Field("Where the ticket goes", title="Email address", format="email")]
    departure: Annotated[date, Field("The day of departure")]
    travellers: Annotated[int, Field("How many people travel", minimum=1, maximum=9)]
    travel_class: Annotated[Literal["economy", "business"], Field("The class", labels=CLASSES)] = "economy"
    extras: Annotated[list[Literal["bicycle", "meal", "quiet"]], Field("What else", max_items=2)] | None = None
    budget: Annotated[float, Field("At most, in euros", minimum=0)] | None = None
    insurance: Annotated[bool, Field("Insure the trip")] = False


@dataclass
class Consent:
    """The user's word."""

    sure: Annotated[bool, Field("Yes, book it")]


@dataclass
class Trip:
    """What came of it."""

    status: Literal["booked", "cancelled"]
    destination: str
    reference: str | None = None
    quoted_at: float | None = None
    lucky_number: int | None = None
    price: float | None = None
    wishes: Wishes | None = None


@tool("python-trip", title="Book a trip", destructive=False)
def book_trip(ctx: Context, destination: Annotated[str, Field("Where to", min_length=1)], nights: int = 1) -> Trip:
    """Books a trip. The user says how to travel, and confirms the price."""
    if destination == "Atlantis":
        raise ToolError("no train goes to Atlantis")
    ctx.progress(1, 3, "asking how to travel")
    wishes = ctx.elicit(f"How do you want to travel to {destination}?", Wishes).accepted
    if wishes is None:
        return Trip("cancelled", destination)

    quoted_at = ctx.once("quote", time.time)
    reference, lucky_number = str(uuid.uuid4()), random.randrange(1_000_000)
    price = wishes.travellers * (120.0 if wishes.travel_class == "business" else 40.0) + nights * 80
    ctx.progress(2, 3, "asking for consent")
    match ctx.elicit(f"Book {CLASSES[wishes.travel_class]} for {price:.2f} euros (reference {reference})?", Consent):
        case Accept(Consent(sure=True)):
            ctx.progress(3, 3, "booked")
            if wishes.budget is not None:
                within = price / wishes.budget  # nobody thought of a budget of nothing
                print(f"booked for {within:.0%} of the budget")
            return Trip("booked", destination, reference, quoted_at, lucky_number, price, wishes)
        case _:
            return Trip("cancelled", destination)


Tools = tools(book_trip)
