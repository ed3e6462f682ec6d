"""Reconciling what lies in the book: a run is opened, cut into parts, worked on and concluded.

`opening` fixes what a run reads, `cutting` says into which parts; `working` takes one part after
the other, `judge_partida` judges it, `findings_of_games` compares what holds with what held;
`concluding` ends the run. `request_run` is how anybody wants one, `runs_due` knows what never came
about. All that is written goes through casino.recording, and nothing is written twice, whoever dies
on the way. docs/operations.md tells it from outside.
"""
