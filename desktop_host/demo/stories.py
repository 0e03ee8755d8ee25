"""The tools of the travel server as stories: they yield what they want to know and go on with the answers.

A story is a generator: it yields `Progress`, or a dict of requests by key; it is sent the dict of answers (bare
results, or `{"error": text}`) and returns the tool's result. It is pure, so that a modern round can tell it again from
the beginning with the answers so far.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

Json = dict[str, Any]


@dataclass(frozen=True)
class Progress:
    """How far a story is."""

    done: int
    total: int
    text: str
    seconds: float = 0.0


@dataclass(frozen=True)
class Page:
    """The address of the airline's page for this call, and its id."""

    url: str
    id: str


Story = Generator[Progress | dict[str, Json], dict[str, Json], Json]


@dataclass(frozen=True)
class Tool:
    """A tool with its story."""

    name: str
    title: str
    description: str
    tell: Callable[[Json, Page], Story]
    arguments: Json
    output: Json | None = None
    read_only: bool = False


def _result(text: str, structured: Json | None = None) -> Json:
    result: Json = {"content": [{"type": "text", "text": text}]}
    return result | ({"structuredContent": structured} if structured is not None else {})


def _text(answer: Json) -> str:
    content: Json = answer.get("content") or {}
    return str(content.get("text", ""))


def _form(message: str, properties: Json, required: list[str]) -> Json:
    schema = {"type": "object", "properties": properties, "required": required}
    return {
        "method": "elicitation/create",
        "params": {"mode": "form", "message": message, "requestedSchema": schema},
    }


def _choices(title: str, **titles: str) -> Json:
    return {
        "type": "string",
        "title": title,
        "oneOf": [{"const": key.replace("_", " "), "title": text} for key, text in titles.items()],
    }


def _booking_form(city: str) -> Json:
    return _form(
        f"Please confirm your {city} vacation: flights on 15 and 22 June 2027, beach hotel, 7 nights.",
        {
            "confirm": {
                "type": "boolean",
                "title": "Confirm the booking",
                "description": "Flights and hotel, $3,000 in total",
                "default": False,
            },
            "seat": _choices("Seat preference", window="Window", aisle="Aisle", no_preference="No preference"),
            "room": _choices("Room type", sea_view="Sea view", city_view="City view", garden_view="Garden view"),
            "insurance": {
                "type": "boolean",
                "title": "Travel insurance",
                "description": "Adds $150",
                "default": False,
            },
        },
        ["confirm"],
    )


_TRAVELLER_FORM = _form(
    "Who is travelling, and when? The airline prints this on the tickets.",
    {
        "name": {"type": "string", "title": "Full name", "minLength": 2, "maxLength": 80},
        "email": {"type": "string", "title": "E-mail for the tickets", "format": "email"},
        "arrival": {"type": "string", "title": "Arrival", "format": "date", "default": "2027-06-15"},
        "departure": {"type": "string", "title": "Departure", "format": "date", "default": "2027-06-22"},
        "travellers": {"type": "integer", "title": "Travellers", "minimum": 1, "maximum": 9, "default": 2},
        "budget": {"type": "number", "title": "Budget for extras", "description": "In dollars", "minimum": 0},
    },
    ["name", "email"],
)


def book_trip(arguments: Json, page: Page) -> Story:
    """Confirm a booking, then ask for the travellers."""
    city = str(arguments.get("city", "Barcelona"))
    booking = (yield {"booking": _booking_form(city)})["booking"]
    choice: Json = booking.get("content") or {}
    if booking.get("action") == "decline":
        return _result(f"You declined. Nothing was booked for {city}.")
    if booking.get("action") != "accept" or not choice.get("confirm"):
        return _result(f"Not confirmed. The {city} offer is kept for you until tomorrow; nothing was booked.")
    traveller = (yield {"traveller": _TRAVELLER_FORM})["traveller"]
    if traveller.get("action") != "accept":
        return _result(f"The {city} booking is confirmed but has no travellers yet. Call again to add them.")
    who = traveller["content"]
    extras = [choice[key] for key in ("seat", "room") if choice.get(key)] + (
        ["insurance"] if choice.get("insurance") else []
    )
    return _result(
        f"Booked: {city} for {who['name']}, {who.get('arrival')} to {who.get('departure')}"
        f"{' with ' + ', '.join(extras) if extras else ''}. Tickets go to {who['email']}."
    )


_AIRLINES = (("VY", 212), ("LH", 248), ("EW", 251), ("IB", 233), ("U2", 189), ("FR", 96), ("AF", 264))


def flights() -> list[Json]:
    """The 47 flights, always the same."""
    found: list[Json] = []
    for number in range(47):
        airline, price = _AIRLINES[number % len(_AIRLINES)]
        departs, stops = 6 * 60 + (number * 37) % (16 * 60), number % 4 % 3
        found.append(
            {
                "flight": f"{airline} {1000 + number * 83}",
                "departs": f"{departs // 60:02}:{departs % 60:02}",
                "hours": round(2.6 + stops * 1.9 + number % 5 * 0.1, 1),
                "stops": stops,
                "price": price + number * 29 % 140,
            }
        )
    return found


_SAMPLING_TEXT = (
    "Analyse these flight options and recommend the best choice:\n{flights}\n"
    "User preferences: morning departure, max 1 layover"
)


def _flight_request() -> Json:
    lines = "\n".join(
        f"{f['flight']}  {f['departs']}  {f['hours']} h  {f['stops']} stops  ${f['price']}" for f in flights()
    )
    return {
        "method": "sampling/createMessage",
        "params": {
            "messages": [
                {"role": "user", "content": {"type": "text", "text": _SAMPLING_TEXT.format(flights=lines)}},
            ],
            "modelPreferences": {
                "hints": [{"name": "claude-sonnet"}],
                "costPriority": 0.3,
                "speedPriority": 0.2,
                "intelligencePriority": 0.9,
            },
            "systemPrompt": "You are a travel expert helping users find the best flights based on their preferences.",
            "maxTokens": 300,
        },
    }


def find_best_flight(arguments: Json, page: Page) -> Story:
    """Compare 47 flights and let a language model choose."""
    for done in range(0, 48, 8):
        yield Progress(min(done + 8, 47), 47, f"Comparing fares: {min(done + 8, 47)} of 47 flights", 0.1)
    answer = (yield {"choice": _flight_request()})["choice"]
    table = {"flights": flights()}
    if "error" in answer:
        return _result("No recommendation: " + answer["error"], {"recommendation": "", **table})
    text = _text(answer)
    return _result(f"Recommended by {answer.get('model')}: {text}", {"recommendation": text, **table})


def _link_request(page: Page) -> Json:
    return {
        "method": "elicitation/create",
        "params": {
            "mode": "url",
            "message": "Please connect your airline account. You log in on the airline's own page.",
            "url": page.url,
            "elicitationId": page.id,
        },
    }


def connect_airline(arguments: Json, page: Page) -> Story:
    """Connect an airline account on a web page."""
    answer = (yield {"login": _link_request(page)})["login"]
    if answer.get("action") != "accept":
        return _result(f"Your airline account is not connected ({answer.get('action')}).")
    return _result("Your airline account is connected. Seats and miles are now up to date.")


def list_trip_documents(arguments: Json, page: Page) -> Story:
    """List the documents in the folders the person shares."""
    answer = (yield {"folders": {"method": "roots/list", "params": {}}})["folders"]
    if "error" in answer:
        return _result("I may not see any folders: " + answer["error"])
    lines: list[str] = []
    for root in answer["roots"]:
        folder = Path(unquote(urlsplit(str(root["uri"])).path))
        lines.append(f"{root.get('name') or folder.name}:")
        names = sorted(path.name for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []
        lines += [f"  {name}" for name in names[:50]] or ["  (nothing)"]
    return _result("\n".join(lines) if lines else "No folder is shared with me.")


def plan_everything(arguments: Json, page: Page) -> Story:
    """Everything at once: a booking, a model's advice and the person's folders."""
    answers = yield {
        "booking": _booking_form("Barcelona"),
        "flight": _flight_request(),
        "folders": {"method": "roots/list", "params": {}},
    }
    booking, flight, folders = answers["booking"], answers["flight"], answers["folders"]
    names = ", ".join(root.get("name") or root["uri"] for root in folders.get("roots", []))
    lines = [
        f"Booking: {booking.get('action', 'no answer')} {booking.get('content') or ''}".rstrip(),
        f"Flight: {flight.get('error') or _text(flight)}",
        f"Folders: {names or folders.get('error', 'none')}",
    ]
    return _result("\n".join(lines))


_CITY = {
    "type": "object",
    "properties": {"city": {"type": "string", "title": "City", "description": "Where to", "default": "Barcelona"}},
}
_NOTHING: Json = {"type": "object", "properties": {}}
_FLIGHTS = {
    "type": "object",
    "properties": {
        "recommendation": {"type": "string"},
        "flights": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "flight": {"type": "string"},
                    "departs": {"type": "string"},
                    "hours": {"type": "number"},
                    "stops": {"type": "integer"},
                    "price": {"type": "number"},
                },
                "required": ["flight", "price"],
            },
        },
    },
    "required": ["flights"],
}

TOOLS = (
    Tool(
        "book_trip",
        "Book a trip",
        "Books flights and hotel. Asks you to confirm and for the travellers.",
        book_trip,
        _CITY,
    ),
    Tool(
        "find_best_flight",
        "Find the best flight",
        "Compares 47 flights and asks a language model for the best one.",
        find_best_flight,
        _NOTHING,
        _FLIGHTS,
        read_only=True,
    ),
    Tool(
        "connect_airline",
        "Connect your airline",
        "Opens the airline's page, where you log in.",
        connect_airline,
        _NOTHING,
    ),
    Tool(
        "list_trip_documents",
        "List trip documents",
        "Lists the documents in the folders you share.",
        list_trip_documents,
        _NOTHING,
        read_only=True,
    ),
    Tool(
        "plan_everything",
        "Plan everything",
        "Asks several things at once: a booking, a model's advice, your folders.",
        plan_everything,
        _NOTHING,
    ),
)
