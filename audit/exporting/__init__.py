"""Copies of the book that leave the house, and lost entries put back from one. docs/bundle.md tells
what a bundle is made of.

What is written is what the database holds, altered or not: the verifier must find it.
"""

from audit.exporting.bundle_export import Made, export_bundle, export_record
from audit.exporting.export_refusals import ExportRefused
from audit.exporting.scope import Scope

__all__ = ["ExportRefused", "Made", "Scope", "export_bundle", "export_record"]
