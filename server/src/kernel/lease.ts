// The lease of work on a process: it ends this long after the last renewal. Idempotency keys, runs and replies share it, so
// that all of them become free at the same time after a crash.
export const RENEW_MS = 5_000
export const LEASE = { seconds: 20 } as const
