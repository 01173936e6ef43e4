/**
 * Tests that kill, that change what a whole process shares (its clock, its modules, its globals), that measure it, whose
 * help begins and ends with its own import, or that take so long that they must start first. Each has a process of its own;
 * all others share one per worker, because to load the service costs more than most of them.
 */
export const ALONE: readonly string[] = [
  'cli/src/credentials.test.ts',
  'scripts/start.test.ts',
  'scripts/unprivileged.soak.test.ts',
  'sdk/src/standard-webhooks.test.ts',
  'server/cluster/cluster.test.ts',
  'server/cluster/database.test.ts',
  'server/src/agent/loop/loop-ends.test.ts',
  'server/src/agent/loop/loop-limits.test.ts',
  'server/src/agent/run-guards.test.ts',
  'server/src/gateway/listener.test.ts',
  'server/src/payments/rails/daraja*.test.ts',
  'server/src/payments/rails/momo*.test.ts',
  'server/src/platform/db/embedded/*.test.ts',
  'server/src/platform/egress/egress-names.test.ts',
  'server/src/platform/http/idempotency-claims.test.ts',
  'server/src/platform/http/request-decoding.test.ts',
  'server/src/platform/http/wire.test.ts',
  'server/src/platform/inference/patience.test.ts',
  'server/src/platform/web/web.test.ts',
  'server/src/research/kill.test.ts',
  'server/src/research/search/providers.test.ts',
  'server/src/sign-in/beat.test.ts',
  'server/src/sso/oidc-faults.test.ts',
  'server/test/billing.sim.test.ts',
  'server/test/kill.test.ts',
  'server/test/malformed.test.ts',
  'server/test/money.sim.test.ts',
  'server/test/takeover.test.ts',
  'web/src/agent/job.test.ts',
  'web/src/app/resource.test.ts',
  'web/src/research/follow.test.ts',
  'web/src/wallet/intent.test.ts',
]

/** Tests with a browser take long, so they start before the others; but they share a process, as those do. */
export const IN_BROWSER: readonly string[] = [
  'server/src/platform/http/docs/docs.test.ts',
  'web/test/**/*.test.ts',
]

/** Calls that reach further than the test that makes them. */
export const REACHES_ALL =
  /\bvi\.(mock|doMock|stub\w+|useFakeTimers|setSystemTime|spyOn)\(|\bprocess\.(kill|umask|chdir|memoryUsage|setuid|setgid)\(|\bprocess\.env(\.\w+|\[[^\]]+\]) =[^=]|\bglobalThis(\.\w+)+ =[^=]/

/** Help that acts when it is imported. In a shared process that happens once, for the first test that needs it. */
export const ACTS_ON_IMPORT = /^(before|after)(All|Each)\(/m
