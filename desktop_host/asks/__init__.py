"""The corridor every ask walks: admit, screen, decide, person, check, record.

`corridor.Corridor` is the face. `person.Person` is whoever answers; `desk.Desk` is the person behind windows.
"""
