"""Workspace roots as the person names them: one folder once, links and excluded ones, and addresses of any spelling."""

import json
import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from desktop_host.config.files import FileProblem
from desktop_host.workspace.roots import Workspace


@pytest.fixture
def workspace(folders: Path) -> Workspace:
    return Workspace(folders / "roots.json")


@pytest.mark.parametrize("name", ["plain", "with space", "50% #1", "Größe 文档", "semi;colon", "a&b=c?", "[x]"])
def test_the_address_of_a_folder_leads_back_to_it(workspace: Workspace, tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    root = workspace.add(str(folder))
    parts = urlsplit(root.uri)
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("file", "", "", "")
    assert unquote(parts.path) == str(folder)


def test_a_folder_is_one_root_by_whatever_way_it_is_named(workspace: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    (folder / "inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to(folder)
    for path in (str(folder), f"{folder}/", f"{folder}/inner/..", str(tmp_path / "link")):
        workspace.add(path)
    assert [root.path for root in workspace.roots] == [str(folder)]


def test_a_link_stays_the_link_that_the_person_named(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "near").symlink_to(tmp_path / "far")
    workspace.add(str(tmp_path / "near"))
    [root] = Workspace(workspace._path).roots
    assert (root.path, root.link, root.missing) == (str(tmp_path / "near"), True, False)
    (tmp_path / "far").rmdir()
    [root] = workspace.roots
    assert root.missing


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the administrator may read everything")
def test_a_folder_that_may_not_be_read_is_marked(workspace: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o000)
    workspace.add(str(folder))
    [root] = workspace.roots
    assert root.unreadable


def test_what_is_excluded_goes_and_does_not_come_back_by_itself(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "secret" / "inner").mkdir(parents=True)
    (tmp_path / "open").mkdir()
    for name in ("secret/inner", "open"):
        workspace.add(str(tmp_path / name))
    workspace.exclude(str(tmp_path / "secret"))
    assert [root.path for root in workspace.roots] == [str(tmp_path / "open")]
    again = Workspace(workspace._path)
    assert again.excluded == (str(tmp_path / "secret"),)
    (tmp_path / "way").symlink_to(tmp_path / "secret")
    for path in ("secret", "secret/inner", "way", "way/inner"):
        with pytest.raises(FileProblem) as refused:
            again.add(str(tmp_path / path))
        assert refused.value.message.key == "roots.excluded"
    again.include(str(tmp_path / "secret"))
    again.add(str(tmp_path / "secret"))
    assert again.excluded == ()


def test_folders_that_were_roots_are_remembered(workspace: Workspace, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        workspace.remove(workspace.add(str(tmp_path / name)).uri)
    assert Workspace(workspace._path).recent == (str(tmp_path / "two"), str(tmp_path / "one"))


@pytest.mark.parametrize(
    "content", ["[]", '{"roots": 1, "recent": 2, "excluded": {}}', '{"recent": [1], "excluded": [null]}']
)
def test_a_file_with_nonsense_in_it_is_survived(folders: Path, content: str) -> None:
    path = folders / "roots.json"
    path.write_text(content)
    made = Workspace(path)
    assert (made.roots, made.recent, made.excluded) == ((), (), ())


def test_each_workspace_has_folders_and_servers_of_its_own(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    workspace.add(str(tmp_path / "one"))
    workspace.create("Work")
    assert (workspace.name, workspace.names, workspace.roots) == ("Work", ("", "Work"), ())
    workspace.add(str(tmp_path / "two"), "second")
    workspace.choose_servers(["files"])
    workspace.join("new")
    again = Workspace(workspace._path)
    assert (again.name, [root.name for root in again.roots]) == ("Work", ["second"])
    assert [again.has(name) for name in ("files", "new", "other")] == [True, True, False]
    again.switch("")
    assert [root.name for root in again.roots] == ["one"]
    assert again.has("other")
    again.switch("Work")
    again.rename("Job")
    again.delete()
    assert (again.names, again.name) == (("",), "")
    assert Workspace(workspace._path).names == ("",)


@pytest.mark.parametrize("name", ["", "  ", "Work"])
def test_a_workspace_needs_a_name_of_its_own(workspace: Workspace, name: str) -> None:
    workspace.create("Work")
    with pytest.raises(FileProblem) as refused:
        workspace.create(name)
    assert refused.value.message.key == "workspace.name_taken"
    assert workspace.names == ("", "Work")
    with pytest.raises(FileProblem):
        workspace.switch("nowhere")


def test_folders_of_the_time_before_workspaces_are_those_of_the_first(folders: Path, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    path = folders / "roots.json"
    path.write_text(json.dumps({"version": 1, "roots": [{"path": str(tmp_path / "old"), "sharedWith": ["a"]}]}))
    [root] = Workspace(path).roots
    assert (root.name, root.shared_with) == ("old", {"a"})


def test_a_part_of_something_under_version_control_names_the_whole(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "inner").mkdir()
    assert workspace.add(str(tmp_path / "repo" / "inner")).path == str(tmp_path / "repo" / "inner")
    workspace.add(str(tmp_path / "repo"))
    assert [root.repository for root in workspace.roots] == [str(tmp_path / "repo"), ""]


def test_a_root_has_the_name_that_the_person_gives_it(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "x1").mkdir()
    uri = workspace.add(str(tmp_path / "x1")).uri
    workspace.call(uri, "Trip")
    assert [root.name for root in Workspace(workspace._path).roots] == ["Trip"]
    workspace.call(uri, "")
    assert [root.name for root in workspace.roots] == ["x1"]
