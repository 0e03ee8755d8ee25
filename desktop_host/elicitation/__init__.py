"""What an elicitation asks for: `form` (schema to fields to content), `address` (a link, taken apart).

`form.Form.from_params` reads a request; `Form.read` turns what a person entered into content and errors.
`screening.form_findings` and `address.look_at` say what is suspicious. No Qt, no SDK, no jsonschema here.
"""
