// Runs the project's tests on the head of a pull request, if the installation enables it. Code of forks and bots is never
// executed. Executed code has no network, no secrets and no token.

import { FORGE_NAMES, ForgeRateLimit, ForgeUnavailable, isRefusal } from '../../forge/forge.ts'
import { hasPermission } from '../../github/github.ts'
import { type CommandRun, runCommand, runnableSandboxes } from '../../sandbox/sandbox.ts'
import type { ChangeSet } from '../pull/change-set.ts'
import type { ReviewContext } from '../runs/review-context.ts'
import type { ValidationResult } from '../runs/runs-sql.ts'
import { reviewSettings } from '../settings.ts'
import { compareRuns, inconclusiveReason, passes, type RunComparison } from './compare-runs.ts'
import { findTestCommand, findTestConfigFiles } from './test-command.ts'
import { type ArchiveFiles, unpackArchive } from './unpack-archive.ts'

const MEGABYTE = 1024 * 1024
const RUN_MS_MAX = 120_000
const RUN_MS_MIN = 2_000

/** Null when validation is disabled. Failures of the host, the archive or the tests do not throw; `reason` states them. */
export async function validateChange(
  review: ReviewContext,
  changeSet: ChangeSet,
): Promise<ValidationResult | null> {
  const { app, run, installation } = review
  if (!installation.validationEnabled || !app.config.pullRequestValidation) return null
  if (run.isFork || run.isBot) return skipped('not_trusted')
  if (!hasPermission(installation.permissions, 'contents', 'read')) return skipped('permissions')
  const kind = await chooseSandbox(review)
  if (kind === null) return skipped('sandbox_unavailable')
  try {
    const command = await findTestCommand(review.forge, changeSet.policy)
    if (command === null) return skipped('no_command')
    const validation = await validateInSandbox({ review, kind, command })
    const changed = [...changeSet.added.keys(), ...changeSet.notReviewed.map(({ path }) => path)]
    return { ...validation, details: { ...validation.details, decisive: findTestConfigFiles(changed) } }
  } catch (error) {
    review.signal.throwIfAborted()
    if (isRefusal(error, 413)) return skipped('archive_too_large')
    if (isRefusal(error) || error instanceof ForgeRateLimit || error instanceof ForgeUnavailable)
      return skipped('archive_unavailable')
    throw error
  }
}

export type HeadTests = {
  readonly command: string
  /** Whether the tests pass on the head with one changed file. */
  pass(change: { readonly path: string; readonly before: string; readonly after: string }): Promise<boolean>
}

/** For changes to a head whose tests passed. Null when they cannot run. */
export async function openHeadTests(review: ReviewContext, changeSet: ChangeSet): Promise<HeadTests | null> {
  const kind = await chooseSandbox(review)
  if (kind === null) return null
  try {
    const command = await findTestCommand(review.forge, changeSet.policy)
    const head = await fetchFiles(review, review.run.headSha)
    if (command === null || 'refused' in head) return null
    const pass: HeadTests['pass'] = async ({ path, before, after }) => {
      const known = head.files.get(path)
      if (!known || Buffer.compare(known, Buffer.from(before)) !== 0) return false
      const files = new Map(head.files).set(path, Buffer.from(after))
      return passes(await runTests({ review, kind, command }, files))
    }
    return { command, pass }
  } catch (error) {
    review.signal.throwIfAborted()
    if (isRefusal(error) || error instanceof ForgeRateLimit || error instanceof ForgeUnavailable) return null
    throw error
  }
}

/** The result as a sentence for the summary. */
export function formatValidation({ status, reason, details }: ValidationResult): string {
  const { failing = [], decisive = [] } = details as { failing?: string[]; decisive?: string[] }
  if (status === 'passed') return `The project's tests pass.${testConfigNote(decisive)}`
  if (status === 'skipped')
    return `The project's tests did not complete: ${String(reason).replaceAll('_', ' ')}.`
  const listed = failing.slice(0, LISTED_MAX).join(', ')
  return `This change makes tests of the project fail${listed === '' ? '.' : `: ${listed}.`}`
}

const LISTED_MAX = 10

/** A change can disable tests, and then they pass. */
const testConfigNote = (paths: readonly string[]): string =>
  paths.length === 0
    ? ''
    : ` This change also modifies how the tests run: ${paths.slice(0, LISTED_MAX).join(', ')}. Check these files yourself.`

type Sandbox = 'docker' | 'local'
type ValidationSetup = { readonly review: ReviewContext; readonly kind: Sandbox; readonly command: string }

const skipped = (reason: string, details: object = {}): ValidationResult => ({
  status: 'skipped',
  reason,
  details,
})

async function chooseSandbox({ app }: ReviewContext): Promise<Sandbox | null> {
  const runnable = await runnableSandboxes(app)
  return (['docker', 'local'] as const).find((kind) => runnable.includes(kind)) ?? null
}

/** Tests the head first. If it passes, the base is not needed. */
async function validateInSandbox(setup: ValidationSetup): Promise<ValidationResult> {
  const { review, kind: sandbox, command } = setup
  const head = await fetchFiles(review, review.run.headSha)
  if ('refused' in head) return skipped(head.refused)
  const started = performance.now()
  const verdict = await judgeHead(setup, head.files)
  const details = { sandbox, command, durationMs: Math.round(performance.now() - started) }
  if (verdict.status === 'passed') return { status: 'passed', reason: null, details }
  if (verdict.status === 'skipped') return skipped(verdict.reason, details)
  return { status: 'failed', reason: 'newly_failing', details: { ...details, ...verdict.shown } }
}

async function judgeHead(setup: ValidationSetup, files: ArchiveFiles): Promise<RunComparison> {
  const first = await runTests(setup, files)
  if (passes(first)) return { status: 'passed' }
  const skip = inconclusiveReason(first)
  if (skip !== null) return { status: 'skipped', reason: skip }
  await setup.review.throwIfSuperseded()
  const base = await fetchFiles(setup.review, setup.review.run.baseSha)
  if ('refused' in base) return { status: 'skipped', reason: 'base_unreadable' }
  const verdict = compareRuns(first, await runTests(setup, base.files))
  if (verdict.status !== 'failed') return verdict
  // Only a repeated failure blocks a merge.
  const second = await runTests(setup, files)
  if (passes(second)) return { status: 'skipped', reason: 'unsteady' }
  return inconclusiveReason(second) === null ? verdict : { status: 'skipped', reason: 'too_slow' }
}

async function fetchFiles({ app, forge, signal, deadlineMs }: ReviewContext, sha: string) {
  const megabytes = app.settings.get(reviewSettings.settings.review_validation_max_mb)
  const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs - performance.now())))
  const bounded = forge.withSignal(AbortSignal.any([signal, deadline]))
  try {
    return await unpackArchive(await bounded.fetchArchive(sha, megabytes * MEGABYTE))
  } catch (error) {
    if (deadline.aborted && !signal.aborted)
      throw new ForgeUnavailable(FORGE_NAMES[forge.kind], 'an archive: the review ran out of time', error)
    throw error
  }
}

/** Runs for the remaining review time, at most two minutes. With less than two seconds left, nothing starts. */
async function runTests(
  { review, kind, command }: ValidationSetup,
  files: ArchiveFiles,
): Promise<CommandRun> {
  const { app, run, signal, deadlineMs } = review
  const wallClockMs = Math.min(RUN_MS_MAX, Math.floor(deadlineMs - performance.now()))
  if (wallClockMs < RUN_MS_MIN)
    return { outcome: 'timed_out', exitCode: null, limit: null, output: '', durationMs: 0 }
  const result = await runCommand(app, {
    kind,
    owner: run.orgId,
    files,
    command,
    signal,
    limits: { wallClockMs },
  })
  signal.throwIfAborted()
  return result
}
