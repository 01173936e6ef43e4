"""Two tasks at the same time with asyncio: each works on its own files, and prints its events as they come."""
import asyncio

from cowrie import AsyncCowrie


async def work(cowrie: AsyncCowrie, name: str) -> None:
    task = await cowrie.tasks.create(
        {"workspace": {"kind": "files", "files": [{"path": "notes.txt", "content": f"{name}\n"}]}}
    )
    turn = await cowrie.tasks.turn(task["id"], {"prompt": f"Say what notes.txt of {name} contains."})
    async for event in cowrie.follow_task(task["id"], turn_id=turn["turnId"]):
        if event["kind"] == "cost":
            print(f"{name}: {event['spentMinor']} so far")
    ended = await cowrie.wait_for_turn(task["id"])
    print(f"{name}: {ended['stopReason']}")


async def main() -> None:
    async with AsyncCowrie() as cowrie:
        await asyncio.gather(work(cowrie, "Lagos"), work(cowrie, "Nairobi"))


asyncio.run(main())
