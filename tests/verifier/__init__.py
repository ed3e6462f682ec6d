"""The stand-alone verifier, against bundles made here."""
