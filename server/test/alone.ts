/**
 * Tests that change what a whole process shares and cannot change it back (its modules, its globals), that measure it, or whose
 * help begins and ends with its own import. Each has a process of its own; all others share one per worker, because to load the
 * service costs more than most of them.
 */
export const ALONE: readonly string[] = [
  'cli/src/auth/credentials.test.ts',
  'scripts/unprivileged.soak.test.ts',
  'server/src/payments/rails/daraja/*.test.ts',
  'server/src/payments/rails/momo/*.test.ts',
  'server/src/platform/db/embedded/*.test.ts',
  'server/src/platform/egress/egress-names.test.ts',
  'server/src/platform/http/request/decode-body.test.ts',
  'server/src/platform/http/request/wire.test.ts',
  'server/src/platform/web/web.test.ts',
  'web/src/screens/agent/progress/active-run.test.ts',
  'web/src/data/resource.test.ts',
  'web/src/screens/wallet/top-up/start-topup.test.ts',
]

/** Tests with a browser share one per worker. */
export const IN_BROWSER: readonly string[] = [
  'server/src/platform/http/openapi/docs/docs.test.ts',
  'web/test/**/*.test.ts',
]

/** The longest: they start before the others, so that no worker is left with one at the end. */
export const EARLY: readonly string[] = [
  'server/src/research/kill.test.ts',
  'server/cluster/*.test.ts',
  'server/test/{kill,malformed,takeover}.test.ts',
  'server/test/*.sim.test.ts',
  'scripts/start.test.ts',
]

/** Calls that reach further than the test that makes them. */
export const CHANGES_PROCESS =
  /\bvi\.(mock|doMock|stub\w+)\(|\bprocess\.(umask|chdir|memoryUsage|setuid|setgid)\(|\bglobalThis(\.\w+)+ =[^=]/

/** Changes that a test can take back, and what takes them back. */
export const REVERTIBLE_CHANGES: readonly (readonly [change: RegExp, takesBack: RegExp])[] = [
  [/\bvi\.(useFakeTimers|setSystemTime)\(/, /\bvi\.useRealTimers\(/],
  [/\bvi\.spyOn\(/, /\.mockRestore\(/],
  [/\bprocess\.env(\.\w+|\[[^\]]+\]) =[^=]/, /\bdelete process\.env/],
]

/** Help that acts when it is imported. In a shared process that happens once, for the first test that needs it. */
export const ACTS_ON_IMPORT = /^(before|after)(All|Each)\(/m
