"""What is shown of servers, their tools and the calls made on them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from desktop_host.terms.asks import JsonObject
from desktop_host.terms.messages import Message


class ServerStatus(StrEnum):
    """Where a server's connection stands. `BLOCKED`: administrators do not let it be used."""

    OFF = "off"
    STARTING = "starting"
    READY = "ready"
    STOPPING = "stopping"
    FAILED = "failed"
    BLOCKED = "blocked"


class CallStatus(StrEnum):
    """How a call stands. `TOOL_ERROR` is the tool's own error; `ABANDONED`: an ask of it was refused."""

    RUNNING = "running"
    DONE = "done"
    TOOL_ERROR = "tool_error"
    CANCELLED = "cancelled"
    ABANDONED = "abandoned"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ToolInfo:
    """A tool as listed. `title` follows the order of FEAT-05; the hints are the server's word, None where unsaid."""

    name: str
    title: str
    description: str
    input_schema: JsonObject
    output_schema: JsonObject | None = None
    read_only: bool | None = None
    destructive: bool | None = None
    open_world: bool | None = None

    @property
    def definition(self) -> JsonObject:
        """All that a change of it would be a change of, as JSON."""
        hints = {"readOnlyHint": self.read_only, "destructiveHint": self.destructive, "openWorldHint": self.open_world}
        whole = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": {name: value for name, value in hints.items() if value is not None},
        }
        return {name: value for name, value in whole.items() if value not in (None, "", {})}


@dataclass(frozen=True, slots=True)
class ResourceInfo:
    """A resource as listed, or with `template` a template of many, whose `uri` is one of RFC 6570. `size` is bytes."""

    uri: str
    title: str
    description: str = ""
    mime: str = ""
    size: int | None = None
    template: bool = False


@dataclass(frozen=True, slots=True)
class ArgumentInfo:
    """An argument of a prompt."""

    name: str
    title: str
    description: str = ""
    required: bool = False


@dataclass(frozen=True, slots=True)
class PromptInfo:
    """A prompt as listed."""

    name: str
    title: str
    description: str = ""
    arguments: tuple[ArgumentInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class ServerState:
    """A server as the windows show it. `reason` says why it failed, `log` holds its last lines on stderr.

    `secrets` are the names of those it is given, `missing` those of them that have no value.
    `here`: it is of the workspace in force.
    `changed`: tools that are no longer what the person met, as they were then. `updated` counts how often a resource
    that is followed was told to be another; `followed` are those; `follows` and
    `completes` say whether the server can tell and complete.
    """

    name: str
    identity: str
    status: ServerStatus
    era: str = ""
    revision: str = ""
    tools: tuple[ToolInfo, ...] = ()
    reason: Message | None = None
    log: tuple[str, ...] = ()
    instructions: str = ""
    asks_waiting: int = 0
    removable: bool = True
    changed: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    resources: tuple[ResourceInfo, ...] = ()
    prompts: tuple[PromptInfo, ...] = ()
    updated: Mapping[str, int] = field(default_factory=dict[str, int])
    follows: bool = False
    followed: frozenset[str] = frozenset()
    completes: bool = False
    secrets: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    here: bool = True


@dataclass(frozen=True, slots=True)
class Traffic:
    """A message to (`sent`) or from a server. `kind` is request, notification, result, error or broken; `method` is
    that of the request, of its answer too. `size` is bytes as JSON, `took` seconds from the request to this answer."""

    number: int
    when: float
    sent: bool
    kind: str
    method: str
    request_id: str
    size: int
    took: float | None = None


@dataclass(frozen=True, slots=True)
class Console:
    """What a server wrote on stderr, its newest line last; how many processes it is, and bytes of memory they take."""

    lines: tuple[str, ...]
    processes: int = 0
    memory: int = 0


@dataclass(frozen=True, slots=True)
class CallState:
    """A call of a tool. `progress` and `total` are the server's own units; `result` is the exact wire result.

    Times are seconds since the epoch. `notices` say what else the person should know of the result, and what became of
    the call's asks. `resumed`: it waited for the person when the program ended.
    """

    id: str
    server: str
    tool: str
    arguments: JsonObject
    started: float
    status: CallStatus = CallStatus.RUNNING
    progress: float | None = None
    total: float | None = None
    progress_text: str = ""
    ended: float | None = None
    result: JsonObject | None = None
    error: Message | None = None
    notices: tuple[Message, ...] = ()
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class RootState:
    """A workspace root. `shared_with` names the servers it is offered to; `missing` once the folder is gone.

    `unreadable`: the person may not read it; `link`: it leads somewhere else; `network`: it is on another computer.
    `repository`: the folder under version control that it is a part of.
    """

    uri: str
    path: str
    name: str
    shared_with: frozenset[str] = frozenset()
    missing: bool = False
    unreadable: bool = False
    link: bool = False
    network: bool = False
    repository: str = ""


@dataclass(frozen=True, slots=True)
class WorkspaceState:
    """The workspace in force, those there are, and its servers; None: every server. `recent` are folders that were
    roots before, `excluded` those that never become one by themselves."""

    name: str
    names: tuple[str, ...] = ("",)
    servers: frozenset[str] | None = None
    recent: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
