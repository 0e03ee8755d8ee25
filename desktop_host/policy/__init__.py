"""Rules that decide for the person where that is safe. `decide.decide` is the face."""
