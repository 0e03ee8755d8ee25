"""Rules that decide for the person where that is safe.

`policies.Policies` is everything that holds now: `rules` is the model, `reading` makes it of files, `managed` finds and
verifies administrators' files, `decide` holds `facts` against all of it by `conditions` and tells every step. `lint`,
`simulate`, `sentences`, `narrowest` and `importers` are for those who write rules. `caps` and `keeping` are what
administrators limit besides, `secrets` finds and masks what must not leave or be written down.
"""
