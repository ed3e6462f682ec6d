"""What keeps the signer from signing, told to whoever looks after it."""


class Trouble(Exception):
    """A command cannot be obeyed; the text says why, and what to do about it."""


class Refused(Exception):
    """The signer does not sign. It says why, keeps looking, and goes on once the cause is gone.

    `code` is the kind of refusal in one word, `why` the sentence; `size` and `root` are those of
    the tree that was found, where one was.
    """

    def __init__(self, code: str, why: str, size: int | None = None, root: bytes = b"") -> None:
        self.code = code
        self.why = why
        self.size = size
        self.root = root
        super().__init__(why)
