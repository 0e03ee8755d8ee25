"""Commands that fetch whatever version is the newest."""

import pytest

from desktop_host.policy.floating import floats

IMAGE = "corp/tools@sha256:" + "a1" * 32
FLOATING = [
    "npx pkg", "npx -y @scope/pkg", "npx pkg@latest", "npx pkg@^1.0", "npx @scope/pkg@1.x", "npx pkg@1", "npx pkg@1.2", "/usr/bin/npx pkg",
    r"C:\node\npx.CMD pkg", "cmd /c npx pkg", "npx --package a@1.0.0 --package b run", "npm exec pkg", "npm x -- pkg",
    "pnpm dlx pkg", "yarn dlx pkg", "bun x pkg", "bunx pkg", "uvx pkg", "uvx pkg@latest", "uvx pkg==1.*",
    "uvx --with a==1 pkg", "uvx --with a pkg==1.0", "uvx --from git+https://h/x.git tool", "uv tool run pkg", "uv x pkg",
    "pipx run pkg", "deno run npm:pkg", "deno run -A npm:@scope/pkg@^2", "docker run -i --rm image", "docker run image:1",
    "docker run -e X=@sha256: image", "podman run --name x image:latest", "docker run",
]  # fmt: skip
FIXED = [
    "npx pkg@1.2.3", "npx -y @scope/pkg@2025.9.12", "npx --package a@1.0.0 run", "npx -p a@1.0.0 -- tool", "uvx pkg==1.2",
    "uvx pkg@1.2.3", "uvx --from pkg==1.0 tool", "uvx --python 3.12 pkg==1.0", "uv tool run pkg==1.0rc1", "uv run server.py",
    "pipx run pkg==1.0", "deno run server.ts", "deno run npm:pkg@1.2.3", "npx ./server", f"docker run --rm -i {IMAGE}",
    f"docker run -e A=b --name x {IMAGE}", "docker ps", "python -m server", "node server.js", "npm run start", "cmd /c server",
]  # fmt: skip


@pytest.mark.parametrize("line", FLOATING)
def test_a_version_that_is_not_exact_floats(line: str) -> None:
    command, *args = line.split(" ")
    assert floats(command, args)


@pytest.mark.parametrize("line", FIXED)
def test_an_exact_version_and_what_fetches_nothing_does_not(line: str) -> None:
    command, *args = line.split(" ")
    assert not floats(command, args)
