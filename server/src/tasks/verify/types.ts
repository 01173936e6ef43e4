// The result of verifying a turn.
import type { OrgId } from '../../kernel/ids.ts'
import type { SandboxTree } from '../../sandbox/sandbox.ts'

export const VERIFICATION_REASONS = [
  'failed_before_passes_now',
  'new_test_passes',
  'passed_before',
  'still_fails',
  /** Tests, their configuration or their runner were changed, or the change could fake a passing run. */
  'tests_changed',
  /** The program knows values of the tests instead of solving the general case. */
  'hard_coded',
  'flaky',
  'no_tests_ran',
  'no_changes',
  'no_command',
  'no_sandbox',
  'dependencies_failed',
  'sandbox_failed',
  'timed_out',
  'stopped',
] as const
export type VerificationReason = (typeof VERIFICATION_REASONS)[number]

export type TestSummary = {
  readonly exitCode: number | null
  readonly passed: number
  readonly failed: number
  readonly durationMs: number
  /** False: a limit ended it. */
  readonly isEnded: boolean
}

export type DependencyState = {
  readonly state: 'none' | 'ready' | 'failed'
  readonly tool?: string
  readonly isCached?: boolean
  readonly reason?: string
}

export type TurnVerification = {
  /** The command failed before, or a new test was added, and the command passes now. */
  readonly verified: boolean
  readonly command: string | null
  readonly commandFrom: 'caller' | 'detected' | null
  readonly reason: VerificationReason
  /** The changed files that decide about the tests, or the code that could fake a pass or knows values of the tests. */
  readonly detail?: string
  readonly before: TestSummary | null
  readonly after: TestSummary | null
  /** Condensed output without secrets. */
  readonly excerpt: string
  readonly dependencies: DependencyState
}

export type VerifyTurnInput = {
  readonly orgId: OrgId
  readonly before: SandboxTree
  readonly after: SandboxTree
  readonly changedPaths: readonly string[]
  /** Of the caller; null: the command of the repository is detected. */
  readonly command: string | null
  /** The prompt of the turn. Values that it names belong into the program. */
  readonly request: string
  /** Instructions and earlier prompts of the task. */
  readonly context: string
  readonly sandbox: 'local' | 'docker' | null
  /** Masks secrets in the output. */
  readonly hide: (text: string) => Promise<string>
  readonly signal: AbortSignal
}
