"""What type hints and dataclasses become."""

import datetime
import unittest
from dataclasses import dataclass
from typing import Annotated, Literal

from dacapo_guest import Context, Field, tool, tools
from dacapo_guest import form as forms
from dacapo_guest.schema import decode, encode, object_schema, parameters, schema
from wit_world.imports import elicitation as wit


@dataclass
class Guest:
    name: Annotated[str, Field("Who", title="Name", min_length=1, max_length=9)]
    arrival: datetime.date
    diet: Annotated[Literal["all", "vegan"], Field(labels={"vegan": "No animals"})] = "all"
    extras: Annotated[list[Literal["bread", "water"]], Field(min_items=1)] | None = None
    height: Annotated[float | None, Field(minimum=0)] = None
    vip: bool = False


class Schemas(unittest.TestCase):
    def test_a_dataclass_is_an_object_with_what_its_fields_say(self):
        self.assertEqual(
            schema(Guest),
            {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "title": "Name", "description": "Who", "minLength": 1, "maxLength": 9},
                    "arrival": {"type": "string", "format": "date"},
                    "diet": {
                        "type": "string",
                        "oneOf": [{"const": "all", "title": "all"}, {"const": "vegan", "title": "No animals"}],
                        "default": "all",
                    },
                    "extras": {"type": "array", "items": {"type": "string", "enum": ["bread", "water"]}, "minItems": 1},
                    "height": {"type": "number", "minimum": 0},
                    "vip": {"type": "boolean", "default": False},
                },
                "required": ["name", "arrival"],
            },
        )

    def test_parameters_after_the_context_are_arguments(self):
        def function(ctx: Context, guest: Guest, tables: list[int], note: str = "none"): ...

        found = object_schema(parameters(function))
        self.assertEqual(found["required"], ["guest", "tables"])
        self.assertEqual(found["properties"]["note"], {"type": "string", "default": "none"})
        self.assertEqual(found["properties"]["tables"], {"type": "array", "items": {"type": "integer"}})

    def test_values_come_back_from_json_as_they_were(self):
        guest = Guest("Ada", datetime.date(2026, 7, 28), extras=["bread"])
        self.assertEqual(decode(Guest, encode(guest)), guest)
        self.assertEqual(decode(list[float], [1, 2.5]), [1.0, 2.5])

    def test_what_has_no_schema_is_named(self):
        with self.assertRaisesRegex(TypeError, "complex"):
            schema(complex)
        with self.assertRaisesRegex(TypeError, "several types"):
            schema(int | str)
        with self.assertRaisesRegex(TypeError, "'b' of 'function' has no type hint"):
            parameters_of_untyped()


def parameters_of_untyped():
    def function(ctx, b): ...

    return parameters(function)


class Forms(unittest.TestCase):
    def test_fields_carry_bounds_choices_and_defaults(self):
        name, arrival, diet, extras, height, vip = forms.fields(Guest)
        self.assertEqual(name, wit.Field("name", "Name", "Who", True, wit.FieldKind_Text(wit.TextField(1, 9, None, None))))
        self.assertEqual(arrival.kind.value.format, wit.TextFormat.DATE)
        choices = [wit.Choice("all", None), wit.Choice("vegan", "No animals")]
        self.assertEqual(diet.kind, wit.FieldKind_SingleChoice(wit.SingleChoiceField(choices, "all")))
        self.assertEqual(extras.kind.value.min_items, 1)
        self.assertEqual(height.kind, wit.FieldKind_Number(wit.NumberField(0.0, None, None)))
        self.assertEqual(vip.kind, wit.FieldKind_Boolean(wit.BooleanField(False)))
        self.assertEqual([field.required for field in (diet, extras, height, vip)], [False] * 4)

    def test_answers_fill_in_the_dataclass(self):
        answers = [
            wit.Answer("name", wit.Value_Text("Ada")),
            wit.Answer("arrival", wit.Value_Text("2026-07-28")),
            wit.Answer("extras", wit.Value_Choices(["water"])),
        ]
        filled_in = forms.filled_in(Guest, answers)
        self.assertEqual(filled_in, Guest("Ada", datetime.date(2026, 7, 28), extras=["water"]))

    def test_what_no_form_can_ask_is_named(self):
        @dataclass
        class Nested:
            guest: Guest

        with self.assertRaisesRegex(TypeError, "'guest' of 'Nested'"):
            forms.fields(Nested)


class Tools(unittest.TestCase):
    def test_two_tools_of_one_name_are_refused(self):
        @tool("twin")
        def twin(ctx: Context) -> str: ...

        with self.assertRaisesRegex(ValueError, "same name"):
            tools(twin, twin)
