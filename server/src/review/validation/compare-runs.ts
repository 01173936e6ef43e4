// What two runs of the tests say of a change: only what fails with it and not without it counts against it.
import { type CommandRun, judgeTestRun } from '../../agent/agent.ts'

export type SkipReason =
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
  | { readonly status: 'skipped'; readonly reason: SkipReason }
  | { readonly status: 'failed'; readonly shown: FailedTests }

const NAMES_MAX = 30
const EXCERPT_MAX = 4_000

export const passes = (run: CommandRun): boolean => run.outcome === 'exited' && run.exitCode === 0

/** Why a run says nothing about the change; null when it does. */
export function inconclusiveReason(run: CommandRun): SkipReason | null {
  if (run.outcome === 'timed_out') return 'too_slow'
  if (run.outcome === 'limit') return 'limit_reached'
  if (run.outcome !== 'exited') return 'sandbox_failed'
  return null
}

/** Of a head that does not pass, against its base. */
export function compareRuns(head: CommandRun, base: CommandRun): RunComparison {
  const skip = inconclusiveReason(head) ?? inconclusiveReason(base)
  if (skip !== null) return { status: 'skipped', reason: skip }
  // What is missing without the change as well is missing here. What only the change misses, it has broken.
  if (!passes(base) && lacksDependencies(base))
    return {
      status: 'skipped',
      reason: lacksDependencies(head) ? 'dependencies_unavailable' : 'failing_before',
    }
  const [now, before] = [readTestReport(head), readTestReport(base)]
  const failing = failingTestNames(now)
  const shown = { failing: failing.slice(0, NAMES_MAX), excerpt: now.excerpt.slice(0, EXCERPT_MAX) }
  if (passes(base)) return { status: 'failed', shown }
  const old = new Set(failingTestNames(before))
  const fresh = failing.filter((name) => !old.has(name))
  // Where tests are not named, two failures cannot be told apart.
  if (fresh.length === 0 || old.size === 0) return { status: 'skipped', reason: 'failing_before' }
  return { status: 'failed', shown: { ...shown, failing: fresh.slice(0, NAMES_MAX) } }
}

const readTestReport = (run: CommandRun) => judgeTestRun(run, { baseline: null, tampering: null })

const failingTestNames = ({ report }: ReturnType<typeof readTestReport>): string[] => [
  ...new Set([...report.named.failed, ...report.failures.map(({ name }) => name)]),
]

const NOT_FOUND = 127
const NOT_RUNNABLE = 126
/** A package or a tool that is not there. A file of the project itself begins with a dot or a slash, and that is a fault. */
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
