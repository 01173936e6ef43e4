// One tab at a time works on a run: the browser gives the lock back when the tab is closed, however that happens.

/** Where another tab has it, `taken` says so, and it is our turn when that one lets go. Without locks, as on pages without a certificate, every tab works; the service still does everything once. */
export async function holding(
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
