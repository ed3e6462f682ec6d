"""What keeps an installation from going on, said in both languages."""

from casino.machine.host_findings import Text


class Trouble(Exception):
    """Nothing more was done. `said` is what is wrong and how to mend it."""

    def __init__(self, pt: str, en: str) -> None:
        self.said = Text(pt, en)
        super().__init__(f"{pt}\n{en}")
