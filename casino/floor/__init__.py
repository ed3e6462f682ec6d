"""Sala: the floor's own screens, for whoever stands at a table with a tablet in one hand.

One task a screen, dark, every act a tap of its own or listed on the button just pressed. A screen
builds events and hands them to `taking.take`, which warns, asks a coded reason and records.
"""
