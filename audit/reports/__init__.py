"""Sealed reports: what was read as canonical JSON, the pages made of it, the seal on them.

A report is read once, at one moment, into canonical JSON (`report_draft.py`, the `readers/` of
each report); that JSON is the report, the PDF its picture (`typesetting.py`). The same JSON and
proofs give the same bytes on any machine. The seal (`pdf_seal.py`) is put on by the signer's
account. `issuing.py` does all of it as a job; `check_report.py` reads such a file again.
"""
