"""What a tool has of the call that it serves."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from wit_world.imports import context as wit_context
from wit_world.imports import elicitation as wit
from wit_world.imports import once as wit_once
from wit_world.imports import progress as wit_progress

from . import form as forms
from .reply import Accept, Cancel, Decline, Form, Reply

T = TypeVar("T")


@dataclass(frozen=True)
class Question(Generic[Form]):
    """One of several questions that are asked at once."""

    #: What is asked, and why.
    message: str
    #: The form to fill in, a dataclass.
    form: type[Form]
    #: The question's name in the protocol, unique in the conversation. By default `elicit-<N>`.
    key: str | None = None

    def _for_host(self) -> wit.KeyedQuestion:
        asked = wit.FormQuestion(self.message, forms.fields(self.form))
        return wit.KeyedQuestion(self.key, wit.Question_Form(asked))


class Context:
    """How a tool talks to the user and to the host."""

    def elicit(self, message: str, form: type[Form], key: str | None = None) -> Reply[Form]:
        """Asks the user to fill in a form, which is a dataclass."""
        question = Question(message, form, key)
        return _reply(form, wit.elicit(question._for_host()))

    def elicit_all(self, *questions: Question) -> list[Reply]:
        """Asks several questions in one round trip. The replies come in the order of the questions."""
        replies = wit.elicit_all([question._for_host() for question in questions])
        return [_reply(question.form, reply) for question, reply in zip(questions, replies)]

    def visit(self, message: str, url: str, key: str | None = None) -> Reply[None]:
        """Asks the user to visit a page, for all that must not pass through the client."""
        question = wit.Question_Url(wit.UrlQuestion(message, url))
        return _reply(None, wit.elicit(wit.KeyedQuestion(key, question)))

    def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Reports how far the call has come. `done` must increase within a run."""
        wit_progress.report(float(done), None if total is None else float(total), message)

    def once(self, name: str, work_out: Callable[[], T]) -> T:
        """Calls `work_out` on the first run that gets here, and returns what it returned on every later one. The value must
        be JSON, and should be small: it travels with the client."""
        kept = wit_once.recall(name)
        if kept is not None:
            return json.loads(kept)
        value = work_out()
        wit_once.remember(name, json.dumps(value))
        return value

    @property
    def target(self) -> str:
        """The name of the tool called."""
        return wit_context.target()

    @property
    def protocol_version(self) -> str:
        """The protocol revision that the client speaks."""
        return wit_context.protocol_version()

    @property
    def principal(self) -> str | None:
        """Who calls, as the host has verified; `None` where callers are not told apart."""
        return wit_context.principal()

    @property
    def takes_forms(self) -> bool:
        """Whether the client can ask its user to fill in a form."""
        return wit_context.QuestionKinds.FORM in wit_context.askable()

    @property
    def takes_pages(self) -> bool:
        """Whether the client can ask its user to visit a page."""
        return wit_context.QuestionKinds.URL in wit_context.askable()


def _reply(form: type | None, reply: wit.Reply) -> Reply[Any]:
    if isinstance(reply, wit.Reply_Accept):
        return Accept(None if form is None else forms.filled_in(form, reply.value))
    return Decline() if isinstance(reply, wit.Reply_Decline) else Cancel()
