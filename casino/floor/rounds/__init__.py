"""One round told by hand: what was tapped, what the law pays for it, the screen."""
