// One iteration: an attempt at the task, what the tests say to it, and what the next one would be asked.
import type { ReadAnswer } from '../answer.ts'
import { attemptAt } from '../answer.ts'
import type { Judged } from './evidence.ts'
import { nextMove } from './progress.ts'
import type { StopReason } from './schema.ts'
import type { Errand, Loop, Tried } from './state.ts'
import { takeIteration } from './turn.ts'
import { type Verification, verify } from './verify.ts'
import { stateHash, type Workspace, withRestored } from './workspace.ts'

/** Makes one attempt. Returns why the loop ends with it, or null when there is reason for another. */
export async function iterate(loop: Loop, onHeld?: () => Promise<void>): Promise<StopReason | null> {
  const read = await takeIteration(loop, onHeld)
  await tellEdits(loop, read)
  const stop = loop.plan.stops.reason()
  if (stop) return stop
  if (read.edits.length === 0) return withoutEdits(loop, read)
  return loop.plan.request.sandbox === 'none' ? withoutTests(loop, read) : withTests(loop, read)
}

async function tellEdits(
  { narration, state }: Loop,
  { envelope, edits, failures }: ReadAnswer,
): Promise<void> {
  const told = { turn: state.iterations, costMinor: state.chargedMinor }
  if (state.iterations === 1) await narration.step({ step: 'plan', ...told, ok: envelope.plan !== '' })
  await narration.step({
    step: 'edit',
    ...told,
    ok: edits.length > 0 && failures.length === 0,
    files: edits.map(({ path, action }) => ({ path, action })),
    ...(failures.length > 0 && {
      failures: failures.map(({ path, message }) => ({ path, reason: message })),
    }),
  })
}

/** Nothing has changed, so there is nothing to test: either it wanted nothing, or nothing could be applied. */
async function withoutEdits(loop: Loop, read: ReadAnswer): Promise<StopReason | null> {
  const { plan, state } = loop
  const failures = read.failures.map(({ path, message }) => `${path}: ${message}`)
  if (read.unread !== null) failures.push('no edit could be found in the answer')
  const last = state.tried.at(-1)
  state.tried.push({
    stateHash: stateHash(plan.base, state.workspace, failures),
    signature: failures.length > 0 ? `not applied ${failures.join(' ')}` : (last?.signature ?? ''),
    failing: last?.failing ?? Number.POSITIVE_INFINITY,
    workspace: state.workspace,
    judged: last?.judged ?? null,
  })
  if (failures.length === 0) return plan.request.sandbox === 'none' ? 'not_verified' : 'stuck'
  return goOn(loop, `nothing could be applied: ${failures.join(' ')}`, () => repairOf(read))
}

/** Where nothing is run, an attempt that could be applied is all there is to reach. */
async function withoutTests(loop: Loop, read: ReadAnswer): Promise<StopReason | null> {
  const { narration, plan, state } = loop
  state.tried.push({
    stateHash: stateHash(plan.base, state.workspace),
    signature: 'not run',
    failing: Number.POSITIVE_INFINITY,
    workspace: state.workspace,
    judged: null,
  })
  const told = { turn: state.iterations, costMinor: state.chargedMinor }
  await narration.step({ step: 'verify', ...told, ok: false, note: 'Not run: there is no sandbox.' })
  if (read.failures.length === 0) return 'not_verified'
  return goOn(loop, 'some edits could not be applied', () => repairOf(read))
}

async function withTests(loop: Loop, read: ReadAnswer): Promise<StopReason | null> {
  const { plan, state } = loop
  const verification = await verify(loop, state.tried[0]?.judged ?? null)
  await tellTests(loop, verification)
  const { judged, decisive, isVerified } = verification
  state.tried.push(triedOf(loop, verification))
  if (isVerified) return 'verified'
  if (isIdle(verification)) {
    // It passes whatever is done, so it can say no more about another attempt.
    if (read.failures.length === 0) return 'not_verified'
    return goOn(loop, 'some edits could not be applied', () => repairOf(read))
  }
  const line = `changed ${read.edits.map(({ path }) => path).join(', ')}; ${failingWords(judged)}`
  return goOn(loop, line, (hint) => {
    // What decides about the tests goes back to how it came: the next attempt has to do without.
    state.workspace = withRestored(state.workspace, plan.base, decisive)
    return { kind: 'fix', tests: testsText(judged, read), hint: hintOf(hint, decisive) }
  })
}

/** The command had passed before anything was changed, and shows no tests. */
const isIdle = ({ judged, decisive }: Verification): boolean =>
  judged.evidence === 'passed-before' && decisive.length === 0

function triedOf({ plan, state }: Loop, { judged, decisive, isVerified }: Verification): Tried {
  const isOwnMerit = isVerified || decisive.length === 0
  return {
    stateHash: stateHash(plan.base, state.workspace),
    signature: isOwnMerit ? judged.signature : `${judged.signature} with ${decisive.join(' ')} changed`,
    failing: isOwnMerit ? judged.failing : Number.POSITIVE_INFINITY,
    workspace: state.workspace,
    judged,
  }
}

async function tellTests({ narration, state }: Loop, verification: Verification) {
  const { judged, decisive, isVerified } = verification
  const note = isIdle(verification) ? IDLE : decisive.length > 0 ? decisiveWords(decisive) : null
  await narration.step({
    step: 'verify',
    turn: state.iterations,
    costMinor: state.chargedMinor,
    ok: isVerified,
    ...testsOf(judged),
    ...(note && { note }),
    ...(!isVerified && { excerpt: judged.excerpt }),
  })
}

const IDLE = 'Shows nothing: the command passed before anything was changed, and it reports no tests.'
const decisiveWords = (decisive: readonly string[]): string =>
  `Does not count: ${decisive.join(', ')} decide about the tests.`

export const testsOf = ({ report }: Judged): { tests?: { passed: number; failed: number } } =>
  report.reporter === null ? {} : { tests: { passed: report.passed, failed: report.failed } }

/** Asks the attempts so far whether another one is worth it, and prepares that one. */
async function goOn(
  { narration, plan, state }: Loop,
  line: string,
  errandOf: (hint: string | null) => Errand,
): Promise<StopReason | null> {
  state.lines.push(`attempt ${state.iterations}: ${line}`)
  const move = nextMove(state.tried)
  if (move.kind === 'stop') return 'stuck'
  if (state.iterations >= plan.maxIterations) return 'max_iters'
  const from: Workspace | undefined = move.from === null ? undefined : state.tried[move.from]?.workspace
  if (from) state.workspace = from
  state.errand = errandOf(move.hint)
  await narration.step({
    step: 'retry',
    turn: state.iterations + 1,
    ok: true,
    costMinor: state.chargedMinor,
    note: move.hint ?? line,
  })
  return null
}

const repairOf = ({ envelope, failures, unread }: ReadAnswer): Errand => ({
  kind: 'repair',
  unread,
  needsPaths: failures.some(({ reason }) => reason === 'unknown_path'),
  failures: failures.map(({ path, message, closest }) => ({
    path,
    reason: message,
    attempt: attemptAt(envelope, path),
    closest,
  })),
})

const NAMED_MAX = 3

function failingWords({ report, failing }: Judged): string {
  const names = report.failures
    .slice(0, NAMED_MAX)
    .map(({ name, message }) => `${name} (${firstLine(message)})`)
  if (names.length > 0) return `${report.failed} failed: ${names.join('; ')}`
  return failing === Number.POSITIVE_INFINITY ? 'the tests did not get to their end' : `${failing} failed`
}

const firstLine = (text: string): string => text.trim().split('\n')[0]?.slice(0, 120) ?? ''

function testsText({ excerpt }: Judged, { failures }: ReadAnswer): string {
  if (failures.length === 0) return excerpt
  const unapplied = failures.map(({ path, message }) => `${path}: ${message}`).join('\n')
  return `Edits of the last answer that could not be applied:\n${unapplied}\n\n${excerpt}`
}

function hintOf(hint: string | null, decisive: readonly string[]): string | undefined {
  const back =
    decisive.length === 0
      ? null
      : `The last attempt changed ${decisive.join(', ')}, which decide whether the tests pass. They were put back. Make the tests pass without changing them.`
  const hints = [hint, back].filter((each) => each !== null)
  return hints.length === 0 ? undefined : hints.join(' ')
}
