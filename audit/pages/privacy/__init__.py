"""Pages about personal data: how long it is kept, its erasure, what is held of whom, who looked."""
