/**
 * Tests that run in a separate process: they change process-wide state irreversibly (modules, globals), measure the process, or
 * use helpers that register hooks on import. All other tests share one process per worker, because loading the service takes
 * longer than most tests.
 */
export const ALONE: readonly string[] = [
  'cli/src/auth/credentials.test.ts',
  'scripts/unprivileged.soak.test.ts',
  'server/src/platform/db/embedded/*.test.ts',
  'server/src/platform/egress/egress-names.test.ts',
  'server/src/platform/http/request/memory.test.ts',
  'server/src/platform/web/web.test.ts',
]

/** The slowest tests start first, so that none is left running alone at the end. Tests with a browser share one per worker. */
export const EARLY: readonly string[] = [
  'server/src/platform/http/openapi/docs/docs.test.ts',
  'web/test/**/*.test.ts',
  'server/src/research/kill.test.ts',
  'server/cluster/*.test.ts',
  'server/test/{kill,malformed,takeover}.test.ts',
  'server/test/*.sim.test.ts',
  'server/test/tasks-corpus.test.ts',
  'server/src/sandbox/prepare/prepare.test.ts',
  'server/src/billing/automatic/changed-topup.test.ts',
  'server/src/platform/content/move/move.test.ts',
  'cli/test/session-{journeys,tasks}.test.ts',
  'sdk/test/other-languages.test.ts',
  'scripts/start.test.ts',
]

/** Calls that change process-wide state irreversibly. */
export const CHANGES_PROCESS =
  /\bvi\.stubEnv\(|\bdns\.lookup =[^=]|\bprocess\.(umask|chdir|memoryUsage|setuid|setgid)\(|(?<!typeof )\bglobalThis(\.\w+)+ =[^=]/

/** Reversible changes of process-wide state, and the calls that revert them. */
export const REVERTIBLE_CHANGES: readonly (readonly [change: RegExp, takesBack: RegExp])[] = [
  [/\bvi\.(useFakeTimers|setSystemTime)\(/, /\bvi\.useRealTimers\(/],
  [/\bvi\.spyOn\(/, /\.mockRestore\(/],
  [/\bvi\.stubGlobal\(/, /\bvi\.unstubAllGlobals\(/],
  [/\bprocess\.env(\.\w+|\[[^\]]+\]) =[^=]/, /\bdelete process\.env/],
]

/** Helpers that register hooks when they are imported. In a shared process only the first importing test would run them. */
export const ACTS_ON_IMPORT = /^(before|after)(All|Each)\(/m
