"""Reconciling what lies in the book: a run is opened, cut into parts, worked on and concluded.

`opening` fixes what a run reads, `cutting` says into which parts; `working` takes one part after
the other, `judging` judges it, `standing` compares what holds with what held; `concluding` ends the
run. `asking` is how anybody wants one, `due` knows what never came about. All that is
written goes through casino.recording, and nothing is written twice, whoever dies on the way.
docs/operations.md tells it from outside.
"""
