"""Reconciling a file of rounds: reading it in parts, judging the parts in parallel, writing down
what was found.

`run.py` leads: a `source` gives parts, a `crew` of workers judges them with `judging`, `seen`
knows the rounds already read, casino's ShoeWatch looks across them, a `tally` counts, `listing`
writes. Nothing here touches a database or knows Django; docs/reconcile-file.md is the user's
page.
"""


class Unusable(Exception):
    """The input or the run as a whole cannot be used: nothing after this point was judged.

    `template` is an English msgid with named ``{}`` fields, `values` what fills them: a door
    translates, then fills.
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.values = values
