"""What is looked for in text and may be masked; ends of the message keys `sensitive.*`."""

SECRET_KINDS = ("key", "token", "password", "private_key", "card", "account")
"""What opens something, or pays."""
PERSONAL_KINDS = ("email", "phone", "identity")
"""What tells of a person and is no secret."""
