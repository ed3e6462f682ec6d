"""Pages on which files of records are brought, looked at and confirmed by a second person."""
