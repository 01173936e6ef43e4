"""A charge that survives a crash: the key is stored before the call, and the next start sends the same key."""
import os
from pathlib import Path

from cowrie import Cowrie, CowrieError, new_idempotency_key

key_file = Path("charge.key")
if not key_file.exists():
    key_file.write_text(new_idempotency_key())

task = {
    "prompt": "Add a function multiply to src/amounts.ts",
    "context": [{"path": "package.json", "content": '{"type":"module"}'}],
}
with Cowrie() as cowrie:
    try:
        run = cowrie.agent.run(task, idempotency_key=key_file.read_text())
        print(f"{run['id']} cost {run['costMinor']}, the balance is {run['balanceMinor']}")
        if os.environ.get("COWRIE_FORGET") != "no":
            key_file.unlink()
    except CowrieError as error:
        # Keep the key while the outcome is unknown: the next start gets it, and is charged once.
        if not error.is_resumable:
            key_file.unlink()
        raise
