"""A server over Streamable HTTP that wants a sign-in, with its authorization server at the same address: MCP SDK and real
OAuth, whose page sends the browser straight back.

``python protected.py --url-file FILE [--port N] [--json]``

`GET /seen` tells what came, `POST /become` changes how it is (see `usual`), `POST /reset` makes all new, `POST /forget` makes tokens invalid.
"""

import argparse
import asyncio
import base64
import hashlib
import os
import secrets
import socket
import time
from pathlib import Path
from urllib.parse import urlencode

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

EVIL = "Dial 555-EVIL now"
"""What no window may show."""
arguments = argparse.ArgumentParser()
arguments.add_argument("--url-file", type=Path, required=True)
arguments.add_argument("--port", type=int, default=0)
arguments.add_argument("--json", action="store_true")
options = arguments.parse_args()
listening = socket.create_server(("127.0.0.1", options.port))
issuer = f"http://127.0.0.1:{listening.getsockname()[1]}"

usual = {
    "expires_in": 3600,  # of access tokens, in seconds
    "methods": ["S256"],  # PKCE; None leaves it out
    "state": "",  # what is sent back instead of the client's
    "iss": issuer,
    "error": "",  # the page sends this back instead of a code
    "token_error": False,
    "registers": True,
    "resource": f"{issuer}/mcp",
    "issuer": issuer,
}
now = dict(usual)
seen = {"registered": [], "authorized": [], "tokens": [], "refused": 0, "side_by_side": 0}
clients: dict[str, dict] = {}
codes: dict[str, dict] = {}
access: dict[str, float] = {}
refresh: set[str] = set()
server = MCPServer("protected")
running = 0


class Name(BaseModel):
    name: str


@server.tool()
async def slow(seconds: float) -> str:
    global running
    running += 1
    seen["side_by_side"] = max(seen["side_by_side"], running)
    try:
        await asyncio.sleep(seconds)
    finally:
        running -= 1
    return "done"


@server.tool()
async def greet(ctx: Context) -> str:
    answer = await ctx.elicit("Who are you?", Name)
    return f"hello {answer.data.name}" if answer.action == "accept" else answer.action


@server.custom_route("/.well-known/oauth-protected-resource/mcp", ["GET"])
async def resource(_request: Request) -> Response:
    return JSONResponse({"resource": now["resource"], "authorization_servers": [issuer], "scopes_supported": ["tools"]})


@server.custom_route("/.well-known/oauth-authorization-server", ["GET"])
async def metadata(_request: Request) -> Response:
    told = {
        "issuer": now["issuer"],
        "authorization_endpoint": f"{issuer}/authorize",
        "token_endpoint": f"{issuer}/token",
        "registration_endpoint": f"{issuer}/register",
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": True,
        "code_challenge_methods_supported": now["methods"],
    }
    return JSONResponse({key: value for key, value in told.items() if value is not None})


@server.custom_route("/register", ["POST"])
async def register(request: Request) -> Response:
    body = await request.json()
    seen["registered"].append(body)
    if not now["registers"]:
        return JSONResponse({"error": "invalid_client_metadata", "error_description": EVIL}, 400)
    client = secrets.token_hex(8)
    clients[client] = body
    return JSONResponse({**body, "client_id": client}, 201)


@server.custom_route("/authorize", ["GET"])
async def authorize(request: Request) -> Response:
    asked = dict(request.query_params)
    seen["authorized"].append(asked)
    known = clients.get(asked["client_id"], {"redirect_uris": []})
    if asked["redirect_uri"] not in known["redirect_uris"] or asked["code_challenge_method"] != "S256":
        return JSONResponse({"error": "invalid_request", "error_description": EVIL}, 400)
    back = {"state": now["state"] or asked["state"], "iss": now["iss"]}
    if now["error"]:
        back |= {"error": now["error"], "error_description": EVIL, "error_uri": "https://evil.example"}
    else:
        back["code"] = secrets.token_hex(8)
        codes[back["code"]] = asked
    return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(back)}", 302)


@server.custom_route("/token", ["POST"])
async def token(request: Request) -> Response:
    form = dict(await request.form())
    seen["tokens"].append(form)
    if now["token_error"] or not _granted(form):
        return JSONResponse({"error": "invalid_grant", "error_description": EVIL}, 400)
    made = {"access": "at-" + secrets.token_hex(16), "refresh": "rt-" + secrets.token_hex(16)}
    access[made["access"]] = time.time() + now["expires_in"]
    refresh.add(made["refresh"])
    body = {"access_token": made["access"], "refresh_token": made["refresh"], "token_type": "Bearer", "scope": "tools"}
    return JSONResponse({**body, "expires_in": now["expires_in"]})


def _granted(form: dict) -> bool:
    if form.get("client_id") not in clients or form.get("resource") != f"{issuer}/mcp":
        return False
    if form["grant_type"] == "refresh_token":
        if form["refresh_token"] not in refresh:
            return False
        refresh.discard(form["refresh_token"])  # it rotates: each is good for once
        return True
    code = codes.pop(form["code"], None)
    digest = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
    return code is not None and (code["code_challenge"], code["redirect_uri"]) == (digest, form["redirect_uri"])


@server.custom_route("/seen", ["GET"])
async def tell(_request: Request) -> Response:
    return JSONResponse({**seen, "valid": [*access, *refresh]})


@server.custom_route("/become", ["POST"])
async def become(request: Request) -> Response:
    now.update(await request.json())
    return Response(status_code=204)


@server.custom_route("/reset", ["POST"])
async def reset(request: Request) -> Response:
    now.update(usual)
    now.update(await request.json())
    seen.update(registered=[], authorized=[], tokens=[], refused=0, side_by_side=0)
    for held in (clients, codes, access, refresh):
        held.clear()
    return Response(status_code=204)


@server.custom_route("/forget", ["POST"])
async def forget(request: Request) -> Response:
    """The access tokens, and with `?all` the refresh tokens too."""
    access.clear()
    if "all" in request.query_params:
        refresh.clear()
    return Response(status_code=204)


inner = server.streamable_http_app(json_response=options.json)


async def app(scope, receive, send):
    """Let only those with a good token through to `/mcp`."""
    if scope["type"] == "http" and scope["path"] == "/mcp":
        given = dict(scope["headers"]).get(b"authorization", b"").decode().removeprefix("Bearer ")
        if access.get(given, 0) < time.time():
            seen["refused"] += 1
            where = (
                f'Bearer error="invalid_token", resource_metadata="{issuer}/.well-known/oauth-protected-resource/mcp"'
            )
            await Response(EVIL, 401, {"WWW-Authenticate": where})(scope, receive, send)
            return
    await inner(scope, receive, send)


async def main() -> None:
    serving = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on"))
    fresh = options.url_file.with_suffix(".new")
    fresh.write_text(f"{issuer}/mcp", encoding="utf-8")
    os.replace(fresh, options.url_file)  # it listens already: who comes early waits
    await serving.serve(sockets=[listening])


asyncio.run(main())
