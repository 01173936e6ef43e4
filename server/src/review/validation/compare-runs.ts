// Compares test runs with and without the change. Only tests that fail because of the change count.
import { judgeTestRun } from '../../agent/agent.ts'
import type { CommandRun } from '../../sandbox/sandbox.ts'

export type InconclusiveReason =
  | 'dependencies_unavailable'
  | 'too_slow'
  | 'limit_reached'
  | 'sandbox_failed'
  | 'base_unreadable'
  | 'failing_before'
  | 'unsteady'

export type FailedTests = { readonly failing: readonly string[]; readonly excerpt: string }
export type RunComparison =
  | { readonly status: 'passed' }
  | { readonly status: 'skipped'; readonly reason: InconclusiveReason }
  | { readonly status: 'failed'; readonly shown: FailedTests }

const NAMES_MAX = 30
const EXCERPT_MAX = 4_000

export const passes = (run: CommandRun): boolean => run.outcome === 'exited' && run.exitCode === 0

/** Why a run is inconclusive; null when it is conclusive. */
export function inconclusiveReason(run: CommandRun): InconclusiveReason | null {
  if (run.outcome === 'timed_out') return 'too_slow'
  if (run.outcome === 'limit') return 'limit_reached'
  if (run.outcome !== 'exited') return 'sandbox_failed'
  return null
}

/** Compares a failing head with its base. */
export function compareRuns(head: CommandRun, base: CommandRun): RunComparison {
  const skip = inconclusiveReason(head) ?? inconclusiveReason(base)
  if (skip !== null) return { status: 'skipped', reason: skip }
  // Dependencies that the base lacks too are missing in the sandbox. If only the head lacks them, the change broke them.
  if (!passes(base) && lacksDependencies(base))
    return {
      status: 'skipped',
      reason: lacksDependencies(head) ? 'dependencies_unavailable' : 'failing_before',
    }
  const [now, before] = [readTestReport(head), readTestReport(base)]
  const failing = failingTestNames(now)
  const shown = { failing: failing.slice(0, NAMES_MAX), excerpt: now.excerpt.slice(0, EXCERPT_MAX) }
  if (passes(base)) return { status: 'failed', shown }
  const oldNames = new Set(failingTestNames(before))
  const newNames = failing.filter((name) => !oldNames.has(name))
  // Without test names, old and new failures cannot be distinguished.
  if (newNames.length === 0 || oldNames.size === 0) return { status: 'skipped', reason: 'failing_before' }
  return { status: 'failed', shown: { ...shown, failing: newNames.slice(0, NAMES_MAX) } }
}

const readTestReport = (run: CommandRun) => judgeTestRun(run, { baseline: null, tampering: null })

const failingTestNames = ({ report }: ReturnType<typeof readTestReport>): string[] => [
  ...new Set([...report.named.failed, ...report.failures.map(({ name }) => name)]),
]

const NOT_FOUND = 127
const NOT_RUNNABLE = 126
/** A missing package or tool. A missing path that starts with a dot or a slash is a fault of the project itself. */
const MISSING_DEPENDENCY = [
  /Cannot find (?:module|package) ['"](?![./])/,
  /ModuleNotFoundError: No module named/,
  /no required module provides package|missing go\.sum entry|cannot find module providing package/,
  /(?:dial tcp|getaddrinfo|network is unreachable|EAI_AGAIN|ENOTFOUND)/,
  /(?:^|\n)[^\n]{0,200}: (?:command )?not found(?:\n|$)/,
  /npm (?:ERR!|error) (?:could not determine executable|Missing script)/,
]

const lacksDependencies = ({ exitCode, output }: CommandRun): boolean =>
  exitCode === NOT_FOUND ||
  exitCode === NOT_RUNNABLE ||
  MISSING_DEPENDENCY.some((pattern) => pattern.test(output))
