"""Let the agent work on a folder of this machine: the files stay here, and this program runs the tools.

Start it again with COWRIE_TASK to continue an interrupted turn.
"""
import os
import sys
from pathlib import Path

from cowrie import Cowrie

if len(sys.argv) < (2 if "COWRIE_TASK" in os.environ else 3):
    sys.exit('Usage: task_on_local_files.py FOLDER "PROMPT"')
root = Path(sys.argv[1]).resolve()


def inside(path: str) -> Path:
    """The service sends clean paths. Never trust that: a path must not leave the folder."""
    full = (root / path).resolve()
    if root != full and root not in full.parents:
        raise ValueError(f"{path} is outside of the folder.")
    return full


def list_files(given):
    names = (path.relative_to(root).as_posix() for path in inside(given.get("path", ".")).rglob("*") if path.is_file())
    return "\n".join(sorted(names))


def read(given):
    lines = inside(given["path"]).read_text().splitlines()[given.get("from", 1) - 1 : given.get("to")]
    return "\n".join(f"{number}| {line}" for number, line in enumerate(lines, given.get("from", 1)))


def edit(given):
    path = inside(given["path"])
    text = path.read_text()
    for change in given["edits"]:
        if text.count(change["find"]) != 1:
            raise ValueError(f"{given['path']} does not contain the text exactly once.")
        text = text.replace(change["find"], change["replace"])
    path.write_text(text)
    return f"Changed {given['path']}."


# An exception is a result that the model reads. There is no handler for "run": it would run commands here.
handlers = {"list": list_files, "read": read, "edit": edit}

with Cowrie() as cowrie:
    task_id = os.environ.get("COWRIE_TASK")
    if task_id is None:
        task_id = cowrie.tasks.create({"workspace": {"kind": "client", "name": root.name}})["id"]
        print(f"task {task_id}")
        quote = cowrie.tasks.quote(task_id, {"prompt": sys.argv[2]})
        print(f"It costs at most {quote['maxMinor']}.")
        cowrie.tasks.turn(task_id, {"prompt": sys.argv[2], "maxMinor": quote["maxMinor"]})

    def show(event):
        if event["kind"] == "needs_tool":
            print(event["tool"])

    turn = cowrie.run_client_tools(task_id, handlers, on_event=show)
    print(f"{turn['stopReason']}, cost {turn['spentMinor']}")
