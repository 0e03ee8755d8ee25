"""Rules that decide for the person where that is safe: `decide.decide`. `keeping` is what may be kept, `secrets` finds
and masks what must not leave or be written down."""
