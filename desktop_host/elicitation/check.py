"""The whole check of a filled form: cheap bounds here, patterns and the schema in the checker process."""

from collections.abc import Mapping
from dataclasses import replace

from desktop_host.checking.checker import Checker, Verdict
from desktop_host.elicitation.form import Entry, Form, Reading
from desktop_host.terms.messages import Message, say


async def check_form(checker: Checker, form: Form, entries: Mapping[str, Entry]) -> tuple[Reading, tuple[Message, ...]]:
    """Read and check entries. Returns the reading with every error found, and notices for the record.

    A pattern that cannot be compiled is a hint, not a wall; one that does not finish in time blocks its field.
    """
    reading = form.read(entries)
    errors, notices = dict(reading.errors), list[Message]()
    for name, (pattern, text) in reading.patterns.items():
        verdict = await checker.pattern(pattern, text)
        if verdict.unusable:
            notices.append(say("form.pattern_unusable", field=name))
        elif verdict.too_slow:
            errors[name] = say("form.pattern_slow")
        elif verdict.problems:
            errors[name] = say("form.pattern", pattern=pattern)
    if not errors:
        verdict = await checker.schema(form.schema, reading.content)
        errors |= _schema_errors(form, reading, verdict)
        if verdict.unusable:
            notices.append(say("form.schema_unusable"))
    return replace(reading, errors=errors), tuple(notices)


def _schema_errors(form: Form, reading: Reading, verdict: Verdict) -> dict[str, Message]:
    errors: dict[str, Message] = {}
    if verdict.too_slow or verdict.unresolved:
        undrawn = [one.name for one in form.fields if one.undrawn and one.name in reading.content]
        blamed = undrawn or [one.name for one in form.fields][:1] or [""]
        return {name: say("form.cannot_check") for name in blamed}
    for problem in verdict.problems:
        name = str(problem.path[0]) if problem.path else ""
        errors.setdefault(name, say("form.schema", what=problem.text))
    return errors
