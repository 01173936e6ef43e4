// How long work belongs to a process that has stopped reporting. One rule for keys, runs and answers, so that after a crash they
// all become free together.
export const RENEW_MS = 5_000
export const LEASE = { seconds: 20 } as const
