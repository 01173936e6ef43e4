// Runs the tests of a project on what a pull request would make of it, where its owners want that. Nothing of a fork's or a
// bot's is ever executed, and what is executed has no network, no secrets and no token.
import { type CommandRun, runCommand, runnableSandboxes } from '../../agent/agent.ts'
import { GithubLimited, GithubUnavailable, isRefusal } from '../github/errors.ts'
import { may } from '../github/permissions.ts'
import { tarballOf } from '../github/repository.ts'
import type { Subject } from '../pull/change-set.ts'
import type { Review, Validation } from '../runs/pipeline.ts'
import { reviewSettings } from '../settings.ts'
import { compared, passes, unsaid, type Verdict } from './compare-runs.ts'
import { commandFor, decisiveIn } from './test-command.ts'
import { type Files, unpack } from './unpack-archive.ts'

const MEGABYTE = 1024 * 1024
const RUN_MS_MAX = 120_000
const RUN_MS_MIN = 2_000

/** Null where nobody wants it. Never throws for what GitHub, the archive or the tests do: see `reason`. */
export async function validate(review: Review, subject: Subject): Promise<Validation | null> {
  const { app, run, installation } = review
  if (!installation.validationEnabled || !app.config.pullRequestValidation) return null
  if (run.isFork || run.isBot) return skipped('not_trusted')
  if (!may(installation.permissions, 'contents', 'read')) return skipped('permissions')
  const kind = await sandboxOf(review)
  if (kind === null) return skipped('sandbox_unavailable')
  try {
    const command = await commandFor(review.repository, subject.policy)
    if (command === null) return skipped('no_command')
    const validation = await inSandbox({ review, kind, command })
    const changed = [...subject.added.keys(), ...subject.notReviewed.map(({ path }) => path)]
    return { ...validation, details: { ...validation.details, decisive: decisiveIn(changed) } }
  } catch (error) {
    review.signal.throwIfAborted()
    if (isRefusal(error, 413)) return skipped('archive_too_large')
    if (isRefusal(error) || error instanceof GithubLimited || error instanceof GithubUnavailable)
      return skipped('archive_unavailable')
    throw error
  }
}

/** A sentence about it for people. */
export function validationNote({ status, reason, details }: Validation): string {
  const { failing = [], decisive = [] } = details as { failing?: string[]; decisive?: string[] }
  if (status === 'passed') return `The tests of the project pass.${decisiveNote(decisive)}`
  if (status === 'skipped')
    return `The tests of the project were not run to an end: ${String(reason).replaceAll('_', ' ')}.`
  const named = failing.slice(0, NAMED_MAX).join(', ')
  return `Tests of the project fail with this change and not without it${named === '' ? '.' : `: ${named}.`}`
}

const NAMED_MAX = 10

/** Tests that a change has switched off pass as well. */
const decisiveNote = (paths: readonly string[]): string =>
  paths.length === 0
    ? ''
    : ` This change also decides how they are run, by ${paths.slice(0, NAMED_MAX).join(', ')}: look at that yourself.`

type Sandbox = 'docker' | 'local'
type Setup = { readonly review: Review; readonly kind: Sandbox; readonly command: string }

const skipped = (reason: string, details: object = {}): Validation => ({
  status: 'skipped',
  reason,
  details,
})

async function sandboxOf({ app }: Review): Promise<Sandbox | null> {
  const runnable = await runnableSandboxes(app)
  return (['docker', 'local'] as const).find((kind) => runnable.includes(kind)) ?? null
}

/** The head first: when it passes, nobody needs to know how it was before. */
async function inSandbox(setup: Setup): Promise<Validation> {
  const { review, kind: sandbox, command } = setup
  const head = await filesAt(review, review.run.headSha)
  if ('refused' in head) return skipped(head.refused)
  const started = performance.now()
  const verdict = await judgeHead(setup, head.files)
  const details = { sandbox, command, durationMs: Math.round(performance.now() - started) }
  if (verdict.status === 'passed') return { status: 'passed', reason: null, details }
  if (verdict.status === 'skipped') return skipped(verdict.reason, details)
  return { status: 'failed', reason: 'newly_failing', details: { ...details, ...verdict.shown } }
}

async function judgeHead(setup: Setup, files: Files): Promise<Verdict> {
  const first = await runOn(setup, files)
  if (passes(first)) return { status: 'passed' }
  const skip = unsaid(first)
  if (skip !== null) return { status: 'skipped', reason: skip }
  await setup.review.goOn()
  const base = await filesAt(setup.review, setup.review.run.baseSha)
  if ('refused' in base) return { status: 'skipped', reason: 'base_unreadable' }
  const verdict = compared(first, await runOn(setup, base.files))
  if (verdict.status !== 'failed') return verdict
  // A merge is blocked only by what fails again.
  const again = await runOn(setup, files)
  if (passes(again)) return { status: 'skipped', reason: 'unsteady' }
  return unsaid(again) === null ? verdict : { status: 'skipped', reason: 'too_slow' }
}

async function filesAt({ app, repository, signal, deadlineMs }: Review, sha: string) {
  const megabytes = app.settings.get(reviewSettings.settings.review_validation_max_mb)
  const late = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs - performance.now())))
  const bounded = { ...repository, signal: AbortSignal.any([signal, late]) }
  try {
    return await unpack(await tarballOf(bounded, sha, megabytes * MEGABYTE))
  } catch (error) {
    if (late.aborted && !signal.aborted) throw new GithubUnavailable('an archive: the time is up', error)
    throw error
  }
}

/** What is left of the review's time, at most two minutes; with less than two seconds nothing is begun. */
async function runOn({ review, kind, command }: Setup, files: Files): Promise<CommandRun> {
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
