// One tab at a time works on a run: the browser gives the lock back when the tab is closed, however that happens.

/** Without locks, as on pages without a certificate, every tab works; the service still does everything once. */
export async function holding(
  key: string,
  work: () => Promise<void>,
  taken: () => void = () => undefined,
): Promise<void> {
  if (!navigator.locks) return work()
  await navigator.locks.request(`agent-run ${key}`, { ifAvailable: true }, (lock) =>
    lock ? work() : taken(),
  )
}
