"""The manual: one for each office, and a first hour for the head of the room and the inspector.

Each is made of chapters in Markdown, written once and shared; read on a page, or taken as a PDF.
"""
