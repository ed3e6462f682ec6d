"""Forms made of events, and recording through them."""
