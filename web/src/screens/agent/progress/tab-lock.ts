// A lock per run, so that one tab at a time works on it. The browser releases it when the tab closes.

/** Runs `work` under the lock. If another tab holds it, calls `taken` and waits. Insecure pages have no locks: every tab works, and idempotency keys still prevent duplicates. */
export async function withTabLock(
  key: string,
  work: () => Promise<void>,
  taken: () => void = () => undefined,
): Promise<void> {
  if (!navigator.locks) return work()
  const name = `agent-run ${key}`
  const isOurs = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await work()
    return lock !== null
  })
  if (isOurs) return
  taken()
  await navigator.locks.request(name, work)
}
