"""What a tool raises."""


class ToolError(Exception):
    """The tool failed at its work. The message goes to the model, as a result with `isError`.

    Any other exception is a fault of the handler: its traceback goes to the server's log, and the client learns only that
    there was one.
    """
