"""The text of every sentence that comes from below the windows, by its key.

The table is plain data: the terminal prints the English, windows translate it (`ui/text.py`). The marker function
only tells the translation tools which strings to collect.
"""

from desktop_host.terms.messages import Message
from desktop_host.ui.visible import visible


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # the name the translation tools look for
    """Mark a text for translation; returns it unchanged."""
    return text


CONTEXT = "messages"

TEXTS: dict[str, str] = {
    "ask.failed": QT_TRANSLATE_NOOP("messages", "Something went wrong here while this was handled. Nothing was sent; the server was told so."),
    "call.abandoned.cancel": QT_TRANSLATE_NOOP("messages", "The call was given up because you closed one of its questions."),
    "call.abandoned.decline": QT_TRANSLATE_NOOP("messages", "The call was given up because you declined one of its questions."),
    "call.abandoned.failed": QT_TRANSLATE_NOOP("messages", "The call was given up because one of its questions could not be answered."),
    "call.abandoned.refused": QT_TRANSLATE_NOOP("messages", "The call was given up because one of its questions was refused."),
    "call.abandoned.stop": QT_TRANSLATE_NOOP("messages", "You stopped the whole call."),
    "call.broken_round": QT_TRANSLATE_NOOP("messages", "The server asked for more but did not say what. The call was given up."),
    "call.connection_lost": QT_TRANSLATE_NOOP("messages", "The connection to the server ended before it answered."),
    "call.failed": QT_TRANSLATE_NOOP("messages", "The call failed inside Desktop Host ({what})."),
    "call.network": QT_TRANSLATE_NOOP("messages", "The request did not get through ({what}). The connection is kept; try again."),
    "call.no_tool": QT_TRANSLATE_NOOP("messages", "The server has no tool of this name."),
    "call.not_connected": QT_TRANSLATE_NOOP("messages", "The server is not running. Start it and try again."),
    "call.same_again": QT_TRANSLATE_NOOP("messages", "The server asked exactly the same more than {count} times, so the call was stopped."),
    "call.server_error": QT_TRANSLATE_NOOP("messages", "The server answered with error {code}: {text}"),
    "call.silent": QT_TRANSLATE_NOOP("messages", "The server said nothing for {seconds} seconds, so the call was ended."),
    "call.too_long": QT_TRANSLATE_NOOP("messages", "The answer is {size} MB, too large to show. It was saved to {path}."),
    "call.too_many_rounds": QT_TRANSLATE_NOOP("messages", "The server asked for more {count} times without an end, so the call was stopped."),
    "call.undeclared": QT_TRANSLATE_NOOP("messages", "The server asked for something it was not offered ({method}). The call was given up."),
    "call.unknown_result": QT_TRANSLATE_NOOP("messages", "The server answered with a result of unknown type “{kind}”."),
    "connect.failed": QT_TRANSLATE_NOOP("messages", "Could not connect ({what})."),
    "connect.floating": QT_TRANSLATE_NOOP("messages", "“{command}” fetches whatever version is newest. What runs tomorrow may not be what you allow today."),
    "connect.no_command": QT_TRANSLATE_NOOP("messages", "The command “{command}” was not found. Check that it is installed and spelled right."),
    "connect.not_allowed": QT_TRANSLATE_NOOP("messages", "The command “{command}” may not be run. Check its permissions."),
    "connect.not_approved": QT_TRANSLATE_NOOP("messages", "Not started, because you did not allow it."),
    "connect.not_https": QT_TRANSLATE_NOOP("messages", "This address is not encrypted. Others on the network can read and change what you send."),
    "connect.refused": QT_TRANSLATE_NOOP("messages", "The server refused the connection with error {code}: {text}"),
    "connect.too_slow": QT_TRANSLATE_NOOP("messages", "The server did not answer in time. It may speak another protocol era; see its settings."),
    "connect.unreachable": QT_TRANSLATE_NOOP("messages", "The server cannot be reached ({what}). Check the address and the network."),
    "connect.unresolved": QT_TRANSLATE_NOOP("messages", "Not started: “{name}” has no value. Set it as a secret or an environment variable."),
    "decision.no_rule": QT_TRANSLATE_NOOP("messages", "No rule covers this, so you are asked."),
    "decision.not_reached": QT_TRANSLATE_NOOP("messages", "It ended before it could be decided."),
    "file.not_json": QT_TRANSLATE_NOOP("messages", "{file}, line {line}, column {column}: this is not JSON ({what})."),
    "file.not_object": QT_TRANSLATE_NOOP("messages", "{file}: the file must hold one JSON object."),
    "file.not_utf8": QT_TRANSLATE_NOOP("messages", "{file}: the file is not UTF-8 text."),
    "file.unreadable": QT_TRANSLATE_NOOP("messages", "{file}: the file cannot be read ({what})."),
    "file.unwritable": QT_TRANSLATE_NOOP("messages", "{file}: the file cannot be written ({what})."),
    "form.asks_for_secret": QT_TRANSLATE_NOOP("messages", "This form asks for a password, key, token or card number. Servers must not ask for these in a form."),
    "form.bad_default": QT_TRANSLATE_NOOP("messages", "The server’s suggestion for “{field}” does not fit its own rules and was left out."),
    "form.cannot_check": QT_TRANSLATE_NOOP("messages", "This cannot be checked against the server’s rules, so it cannot be sent."),
    "form.must_be": QT_TRANSLATE_NOOP("messages", "This must be {value}."),
    "form.no_schema": QT_TRANSLATE_NOOP("messages", "The server sent no description of its form (requestedSchema)."),
    "form.not_a_choice": QT_TRANSLATE_NOOP("messages", "Choose one of the offered values."),
    "form.not_above": QT_TRANSLATE_NOOP("messages", "This must be more than {bound}."),
    "form.not_below": QT_TRANSLATE_NOOP("messages", "This must be less than {bound}."),
    "form.not_boolean": QT_TRANSLATE_NOOP("messages", "Choose yes or no."),
    "form.not_date": QT_TRANSLATE_NOOP("messages", "Not a date yet. Example: 2027-06-15"),
    "form.not_date_time": QT_TRANSLATE_NOOP("messages", "Not a date with time and zone yet. Example: 2027-06-15T09:30:00+02:00"),
    "form.not_email": QT_TRANSLATE_NOOP("messages", "Not a whole address yet. Example: name@example.org"),
    "form.not_integer": QT_TRANSLATE_NOOP("messages", "Not a whole number yet. Example: 3"),
    "form.not_json": QT_TRANSLATE_NOOP("messages", "This is not JSON yet (line {line}, column {column})."),
    "form.not_multiple": QT_TRANSLATE_NOOP("messages", "This must be a multiple of {step}."),
    "form.not_number": QT_TRANSLATE_NOOP("messages", "Not a number yet. Example: 1.5"),
    "form.not_text": QT_TRANSLATE_NOOP("messages", "This must be text."),
    "form.not_uri": QT_TRANSLATE_NOOP("messages", "Not a whole address yet. Example: https://example.org/page"),
    "form.number_too_big": QT_TRANSLATE_NOOP("messages", "This number is too large to send."),
    "form.out_of_range": QT_TRANSLATE_NOOP("messages", "This must be from {least} to {most}."),
    "form.pattern": QT_TRANSLATE_NOOP("messages", "This does not have the form the server wants: {pattern}"),
    "form.pattern_slow": QT_TRANSLATE_NOOP("messages", "The server’s rule for this field takes too long to check, so this cannot be sent."),
    "form.pattern_unusable": QT_TRANSLATE_NOOP("messages", "The server’s rule for “{field}” cannot be read and was not applied."),
    "form.required": QT_TRANSLATE_NOOP("messages", "This is needed."),
    "form.required_missing": QT_TRANSLATE_NOOP("messages", "The server requires “{field}” but does not describe it, so its form cannot be answered."),
    "form.schema": QT_TRANSLATE_NOOP("messages", "This does not fit the server’s rules: {what}"),
    "form.schema_unusable": QT_TRANSLATE_NOOP("messages", "The server’s rules for its form have a mistake; each field was checked by itself."),
    "form.too_few": QT_TRANSLATE_NOOP("messages", "Choose at least {count}."),
    "form.too_large": QT_TRANSLATE_NOOP("messages", "This must be at most {most}."),
    "form.too_long": QT_TRANSLATE_NOOP("messages", "This may have at most {count} characters."),
    "form.too_many": QT_TRANSLATE_NOOP("messages", "Choose at most {count}."),
    "form.too_short": QT_TRANSLATE_NOOP("messages", "This must have at least {count} characters."),
    "form.too_small": QT_TRANSLATE_NOOP("messages", "This must be at least {least}."),
    "form.undrawn.broken_reference": QT_TRANSLATE_NOOP("messages", "“{field}” refers to a description that is not there; it is asked for as JSON."),
    "form.undrawn.deep_reference": QT_TRANSLATE_NOOP("messages", "“{field}” refers to itself; it is asked for as JSON."),
    "form.undrawn.not_object": QT_TRANSLATE_NOOP("messages", "“{field}” has no usable description; it is asked for as JSON."),
    "form.undrawn.remote_reference": QT_TRANSLATE_NOOP("messages", "“{field}” refers to a description on the network, which is never fetched; it is asked for as JSON."),
    "form.undrawn.shape": QT_TRANSLATE_NOOP("messages", "“{field}” cannot be drawn as a simple field; it is asked for as JSON."),
    "keyring.unusable": QT_TRANSLATE_NOOP("messages", "The system’s keyring cannot be used ({what}). Unlock it, or install one, and try again."),
    "limit.fields": QT_TRANSLATE_NOOP("messages", "A form with more than {count} fields was refused."),
    "limit.message": QT_TRANSLATE_NOOP("messages", "A question longer than {count} KB was refused."),
    "limit.repeated": QT_TRANSLATE_NOOP("messages", "The server sent the same question twice; the second one was refused."),
    "limit.too_many": QT_TRANSLATE_NOOP("messages", "Too many questions of {server} are waiting, so one more was refused."),
    "link.bare_ip": QT_TRANSLATE_NOOP("messages", "The address is a bare number, {host}, not a name. Real services rarely use one."),
    "link.no_browser": QT_TRANSLATE_NOOP("messages", "No browser could be opened. The server was told that you cancelled."),
    "link.not_an_address": QT_TRANSLATE_NOOP("messages", "The server sent a link that is no valid web address. It was refused."),
    "link.not_https": QT_TRANSLATE_NOOP("messages", "The server sent a link that is not encrypted. It was refused."),
    "link.odd_port": QT_TRANSLATE_NOOP("messages", "The address uses the unusual port {port}."),
    "link.other_script": QT_TRANSLATE_NOOP("messages", "The name {host} has letters of other scripts, which can imitate a name you know. Really contacted: {sent}"),
    "link.scheme": QT_TRANSLATE_NOOP("messages", "The server sent a link that is no web address. It was refused."),
    "link.this_computer": QT_TRANSLATE_NOOP("messages", "The page is on this computer."),
    "link.too_long": QT_TRANSLATE_NOOP("messages", "The server sent a link that is too long. It was refused."),
    "link.user_name": QT_TRANSLATE_NOOP("messages", "The address hides its host behind a user name. Really contacted: {host}"),
    "model.broken_answer": QT_TRANSLATE_NOOP("messages", "The model’s answer broke off. Nothing was sent to the server; you can ask again."),
    "model.busy": QT_TRANSLATE_NOOP("messages", "{host} is busy. Try again in {seconds} seconds."),
    "model.busy_now": QT_TRANSLATE_NOOP("messages", "{host} is busy. Try again in a moment."),
    "model.key_refused": QT_TRANSLATE_NOOP("messages", "{host} did not accept the key. Check it in Settings."),
    "model.loss_block": QT_TRANSLATE_NOOP("messages", "A part of type “{kind}” cannot be passed to this model."),
    "model.loss_stops": QT_TRANSLATE_NOOP("messages", "Only the first {count} stop sequences can be passed on."),
    "model.not_there": QT_TRANSLATE_NOOP("messages", "{host} does not know this model or address. Check both in Settings."),
    "model.refused": QT_TRANSLATE_NOOP("messages", "{host} refused the request (status {status})."),
    "model.unknown": QT_TRANSLATE_NOOP("messages", "There is no model “{model}”."),
    "model.unreachable": QT_TRANSLATE_NOOP("messages", "{host} cannot be reached. Check the address in Settings and that the model server runs."),
    "model.why_hint": QT_TRANSLATE_NOOP("messages", "Chosen because the server hints “{hint}”."),
    "model.why_no_hint_fits": QT_TRANSLATE_NOOP("messages", "No model here matches the server’s hint “{hint}”, so your own choice is used."),
    "model.why_not_there": QT_TRANSLATE_NOOP("messages", "Your model cannot be used now, so you write the answer."),
    "model.why_only": QT_TRANSLATE_NOOP("messages", "The model you chose in Settings."),
    "model.why_you": QT_TRANSLATE_NOOP("messages", "No model is set up, so you write the answer. Add one in Settings."),
    "result.breaks_schema": QT_TRANSLATE_NOOP("messages", "The result does not match the tool’s own description: {what}"),
    "result.matches": QT_TRANSLATE_NOOP("messages", "matches its schema"),
    "result.not_checked": QT_TRANSLATE_NOOP("messages", "The result could not be checked against the tool’s description."),
    "result.not_structured": QT_TRANSLATE_NOOP("messages", "The tool describes a structured result but sent none."),
    "roots.bad_entry": QT_TRANSLATE_NOOP("messages", "{file}: an entry is not a folder and was left out."),
    "roots.no_folder": QT_TRANSLATE_NOOP("messages", "“{path}” is not a folder."),
    "sampling.invalid": QT_TRANSLATE_NOOP("messages", "The server’s request to a model is malformed ({field}). It was refused."),
    "sampling.no_context": QT_TRANSLATE_NOOP("messages", "The server asked to include the context of other servers. None is included."),
    "sampling.unknown_block": QT_TRANSLATE_NOOP("messages", "Message {number} holds a part of unknown type “{kind}”, which no model can be given."),
    "server.exited": QT_TRANSLATE_NOOP("messages", "The server ended by itself (exit code {code})."),
    "server.exited_saying": QT_TRANSLATE_NOOP("messages", "The server ended by itself (exit code {code}). Its last words: {last}"),
    "servers.bad_entry": QT_TRANSLATE_NOOP("messages", "{file}, line {line}, column {column}: “{key}” is not usable. The other servers are."),
    "servers.name_taken": QT_TRANSLATE_NOOP("messages", "There is a server called “{name}” already. Choose another name."),
    "servers.not_object": QT_TRANSLATE_NOOP("messages", "{file}: “{key}” must be an object."),
    "setting.language": QT_TRANSLATE_NOOP("messages", "Language"),
    "setting.language.help": QT_TRANSLATE_NOOP("messages", "Takes effect at the next start."),
    "setting.model.base_url": QT_TRANSLATE_NOOP("messages", "Model address"),
    "setting.model.base_url.help": QT_TRANSLATE_NOOP("messages", "Any endpoint that speaks OpenAI’s chat completions, for example http://127.0.0.1:11434/v1"),
    "setting.model.name": QT_TRANSLATE_NOOP("messages", "Model"),
    "setting.model.name.help": QT_TRANSLATE_NOOP("messages", "Leave empty to choose from what the address offers."),
    "setting.theme": QT_TRANSLATE_NOOP("messages", "Appearance"),
    "setting.theme.help": QT_TRANSLATE_NOOP("messages", "Light, dark, or as the system has it."),
    "settings.bad_value": QT_TRANSLATE_NOOP("messages", "{file}: the value of “{key}” is not usable; the default is used."),
    "text.hidden_characters": QT_TRANSLATE_NOOP("messages", "The text holds invisible or direction-changing characters. They are written out here."),
}  # fmt: skip


def fill(text: str, message: Message) -> str:
    """Put a message's values into its places, each made visible."""
    values = {name: visible(value) if isinstance(value, str) else value for name, value in message.values}
    try:
        return text.format(**values)
    except (KeyError, IndexError, ValueError):
        return text


def english(message: Message) -> str:
    """A message in English."""
    return fill(TEXTS.get(message.key, message.key), message)
