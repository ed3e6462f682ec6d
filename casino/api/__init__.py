"""The machines' door: JSON over HTTP, thin, over the services that record and read.

Nothing is decided here. Events read themselves (`casino.reading`), rights are those of
`casino.access`, warnings those of `casino.previewing`, and the writer is the one there is.
"""
