"""A sampling request as the person reviews it, and the answer that goes back (SMP-05 to SMP-40)."""

import difflib
from dataclasses import dataclass, replace
from typing import Any, cast

from desktop_host.policy.secrets import PERSONAL, SECRETS, Masker, find_secrets
from desktop_host.terms.asks import Finding, JsonObject, Severity
from desktop_host.terms.messages import Message, say

MEDIA_KEYS = ("data", "blob")
"""Members that hold bytes of media as base64."""
_LONG = 20_000
KNOWN_BLOCKS = ("text", "image", "audio", "tool_use", "tool_result", "resource_link", "resource")


@dataclass(frozen=True, slots=True)
class Turn:
    """One message: its role and its content blocks, exactly as on the wire. `single`: the content was no list."""

    role: str
    content: tuple[JsonObject, ...]
    single: bool = True

    @property
    def text(self) -> str:
        """The text blocks, joined by empty lines; other blocks are shown apart."""
        return "\n\n".join(str(block.get("text", "")) for block in self.content if block.get("type") == "text")

    def with_text(self, text: str) -> "Turn":
        """The same message with other words: its text blocks become one, in the place of the first."""
        others = [block for block in self.content if block.get("type") != "text"]
        first = next((i for i, block in enumerate(self.content) if block.get("type") == "text"), len(others))
        if text == self.text:
            return self
        content = (*others[:first], {"type": "text", "text": text}, *others[first:]) if text else tuple(others)
        return replace(self, content=content, single=self.single and len(content) == 1)


@dataclass(frozen=True, slots=True)
class Draft:
    """A request under review. `max_tokens` is an upper bound (SMP-25); `preferences` is advice (SMP-19).

    `tools` are definitions as on the wire, for this request alone; `tool_choice` is "auto", "required" or "none" where
    there are any, "" where there are none.
    """

    messages: tuple[Turn, ...]
    max_tokens: int
    system: str = ""
    temperature: float | None = None
    stop_sequences: tuple[str, ...] = ()
    preferences: JsonObject | None = None
    notices: tuple[Message, ...] = ()
    tools: tuple[JsonObject, ...] = ()
    tool_choice: str = ""
    metadata: JsonObject | None = None

    @property
    def hints(self) -> tuple[str, ...]:
        """Model name hints in the server's order (SMP-20)."""
        found: Any = (self.preferences or {}).get("hints")
        hints = cast("list[Any]", found) if isinstance(found, list) else []
        names = (cast("JsonObject", hint).get("name") for hint in hints if isinstance(hint, dict))
        return tuple(name for name in names if isinstance(name, str) and name)

    def priority(self, name: str) -> float:
        """The weight of "cost", "speed" or "intelligence", from 0 to 1; 0 where the server gives none (SMP-22)."""
        found: Any = (self.preferences or {}).get(f"{name}Priority")
        good = isinstance(found, int | float) and not isinstance(found, bool)
        return min(max(float(found), 0.0), 1.0) if good else 0.0

    def holds(self, kind: str) -> bool:
        """Some message, or a tool's result in it, has a block of this type."""
        return any(
            one.get("type") == kind for turn in self.messages for block in turn.content for one in parts_of(block)
        )

    @property
    def content_types(self) -> tuple[str, ...]:
        """The types of all blocks, those in results of tools too."""
        blocks = (one for turn in self.messages for block in turn.content for one in parts_of(block))
        return tuple(sorted({str(one.get("type")) for one in blocks}))

    @property
    def rough_tokens(self) -> int:
        """What the model will read, estimated at four characters a token and 800 tokens an image."""
        blocks = [block for turn in self.messages for block in turn.content]
        text = len(self.system) + sum(map(text_size, blocks)) + sum(map(text_size, self.tools))
        media = sum(one.get("type") in ("image", "audio") for block in blocks for one in parts_of(block))
        return text // 4 + 800 * media + 4 * len(self.messages)

    def changes(self, original: "Draft") -> tuple[str, ...]:
        """The parts that differ from another draft, by their wire names."""
        names = {"system": "systemPrompt", "messages": "messages", "max_tokens": "maxTokens"}
        return tuple(wire for name, wire in names.items() if getattr(self, name) != getattr(original, name))

    def differences(self, original: "Draft") -> dict[str, str]:
        """What differs from another draft in its texts, by their places."""
        texts = {"systemPrompt": (original.system, self.system)}
        for number in range(max(len(self.messages), len(original.messages))):
            turns = (one[number] if number < len(one) else None for one in (original.messages, self.messages))
            before, after = (turn.text if turn is not None else "" for turn in turns)
            texts[f"messages/{number + 1}"] = (before, after)
        found = {name: difference(before, after) for name, (before, after) in texts.items() if before != after}
        if self.max_tokens != original.max_tokens:
            found["maxTokens"] = f"{original.max_tokens} → {self.max_tokens}"
        return {name: text for name, text in found.items() if text}


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model (or the person) answered. `seconds` and the token counts are None where unknown.

    `tool_uses` are blocks as on the wire. `notices` say what the person should know of it.
    """

    text: str
    model: str
    stop_reason: str = "endTurn"
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    tool_uses: tuple[JsonObject, ...] = ()
    notices: tuple[Message, ...] = ()

    def without(self, tool_use_ids: frozenset[str]) -> "ModelAnswer":
        """The answer without some of its uses of tools; with none left it is one that had finished."""
        uses = tuple(use for use in self.tool_uses if use["id"] not in tool_use_ids)
        reason = "endTurn" if self.tool_uses and not uses else self.stop_reason
        return replace(self, tool_uses=uses, stop_reason=reason)


def difference(before: str, after: str) -> str:
    """The lines that are gone (-) and those that are new (+). Of long texts only their sizes are told: to compare them
    takes time that grows with their square."""
    if max(len(before), len(after)) > _LONG:
        return f"-{len(before)} +{len(after)}"
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0))
    return "\n".join(line for line in lines[2:] if not line.startswith("@@"))  # the first two are names


def parts_of(block: JsonObject) -> list[JsonObject]:
    """A block, and the blocks inside it where it is a tool's result."""
    inner: Any = block.get("content") if block.get("type") == "tool_result" else None
    found = cast("list[Any]", inner) if isinstance(inner, list) else []
    return [block, *(cast("JsonObject", one) for one in found if isinstance(one, dict))]


def text_size(value: Any) -> int:
    """Characters of all texts in a JSON value but for the data of media; of a text block, of its text."""
    if isinstance(value, dict) and cast("dict[str, Any]", value).get("type") == "text":
        return len(str(cast("dict[str, Any]", value).get("text", "")))
    return sum(map(len, texts_of(value)))


def draft_findings(draft: Draft) -> tuple[Finding, ...]:
    """What cannot be passed on as it is: named, never dropped silently (SMP-29)."""
    return tuple(
        Finding(
            Severity.WARNING,
            say("sampling.unknown_block", number=index, kind=str(block.get("type"))),
            f"messages/{index}",
        )
        for index, turn in enumerate(draft.messages, 1)
        for block in turn.content
        if block.get("type") not in KNOWN_BLOCKS
    )


def secret_findings(draft: Draft) -> tuple[Finding, ...]:
    """The messages that hold what looks like a secret, and those that tell of people.

    Takes a millisecond for 4,000 characters.
    """
    places = [("systemPrompt", [draft.system])]
    places += [
        (f"messages/{number}", [text for block in turn.content for text in texts_of(block)])
        for number, turn in enumerate(draft.messages, 1)
    ]
    places += [(f"tools/{number}", texts_of(tool)) for number, tool in enumerate(draft.tools, 1)]
    findings: list[Finding] = []
    for where, texts in places:
        found = [one for text in texts for one in find_secrets(text, SECRETS | PERSONAL)]
        people = sum(one.kind in PERSONAL for one in found)
        if secrets := len(found) - people:
            findings.append(Finding(Severity.WARNING, say("sampling.secret", count=secrets), where))
        if people:
            findings.append(Finding(Severity.INFO, say("sampling.personal", count=people), where))
    return tuple(findings)


def masked_block(block: JsonObject, masker: Masker) -> JsonObject:
    """A block without what the masker finds; the data of media is left alone."""
    data = {name: block[name] for name in MEDIA_KEYS if name in block}
    return {**masker.value({name: part for name, part in block.items() if name not in data}), **data}


def masked_draft(draft: Draft, masker: Masker) -> Draft:
    """A request without what the masker finds in its system prompt and messages."""
    turns = tuple(
        replace(turn, content=tuple(masked_block(block, masker) for block in turn.content)) for turn in draft.messages
    )
    return replace(draft, system=masker.text(draft.system), messages=turns)


def texts_of(value: Any) -> list[str]:
    """All texts in a JSON value but for the data of media."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for one in cast("list[Any]", value) for text in texts_of(one)]
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return [text for name, one in members.items() if name not in MEDIA_KEYS for text in (name, *texts_of(one))]
    return []


def result_of(answer: ModelAnswer) -> JsonObject:
    """The wire result of an answer: one text block, which every revision takes, or a list where tools are used, which
    only servers get that may ask for it (SMP-36, SMP-37)."""
    text: JsonObject = {"type": "text", "text": answer.text}
    blocks = [*([text] if answer.text else []), *answer.tool_uses]
    return {
        "role": "assistant",
        "content": blocks if answer.tool_uses else text,
        "model": answer.model,
        "stopReason": answer.stop_reason,
    }
