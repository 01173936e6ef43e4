// One iteration: an attempt at the task, its test results, and the input of the next attempt.
import type { ParsedAnswer } from '../run/answer.ts'
import { attemptedText } from '../run/answer.ts'
import { hashState, restorePaths, type WorkspaceFiles } from '../run/workspace.ts'
import { chooseNextStep } from './retry-policy.ts'
import type { LoopStopReason } from './schema.ts'
import type { AgentLoop, AttemptState, NextTurn } from './state.ts'
import type { TestVerdict } from './test-integrity/test-verdict.ts'
import { takeIterationTurn } from './turn.ts'
import { type Verification, verify } from './verify.ts'

/** Makes one attempt. Returns why the loop ends, or null to continue. */
export async function runIteration(
  loop: AgentLoop,
  onHeld?: () => Promise<void>,
): Promise<LoopStopReason | null> {
  const read = await takeIterationTurn(loop, onHeld)
  await reportEdits(loop, read)
  const stop = loop.plan.stops.reason()
  if (stop) return stop
  if (read.edits.length === 0) return handleNoEdits(loop, read)
  return loop.plan.request.sandbox === 'none' ? finishWithoutTests(loop, read) : verifyEdits(loop, read)
}

async function reportEdits(
  { progressStream, state }: AgentLoop,
  { envelope, edits, failures }: ParsedAnswer,
): Promise<void> {
  const progress = { turn: state.iterations, costMinor: state.chargedMinor }
  if (state.iterations === 1)
    await progressStream.step({ step: 'plan', ...progress, ok: envelope.plan !== '' })
  await progressStream.step({
    step: 'edit',
    ...progress,
    ok: edits.length > 0 && failures.length === 0,
    files: edits.map(({ path, action }) => ({ path, action })),
    ...(failures.length > 0 && {
      failures: failures.map(({ path, message }) => ({ path, reason: message })),
    }),
  })
}

/** There is nothing to test: the model made no edits, or none could be applied. */
async function handleNoEdits(loop: AgentLoop, read: ParsedAnswer): Promise<LoopStopReason | null> {
  const { plan, state } = loop
  const failures = read.failures.map(({ path, message }) => `${path}: ${message}`)
  if (read.unparsedText !== null) failures.push('no edit could be found in the answer')
  const last = state.attempts.at(-1)
  state.attempts.push({
    stateHash: hashState(plan.base, state.workspace, failures),
    signature: failures.length > 0 ? `not applied ${failures.join(' ')}` : (last?.signature ?? ''),
    failing: last?.failing ?? Number.POSITIVE_INFINITY,
    workspace: state.workspace,
    verdict: last?.verdict ?? null,
  })
  if (failures.length === 0) return plan.request.sandbox === 'none' ? 'not_verified' : 'stuck'
  return planNextTurn(loop, `nothing could be applied: ${failures.join(' ')}`, () => toRepairTurn(read))
}

/** Without a sandbox, an attempt that could be applied is the best possible result. */
async function finishWithoutTests(loop: AgentLoop, read: ParsedAnswer): Promise<LoopStopReason | null> {
  const { progressStream, plan, state } = loop
  state.attempts.push({
    stateHash: hashState(plan.base, state.workspace),
    signature: 'not run',
    failing: Number.POSITIVE_INFINITY,
    workspace: state.workspace,
    verdict: null,
  })
  const progress = { turn: state.iterations, costMinor: state.chargedMinor }
  await progressStream.step({ step: 'verify', ...progress, ok: false, note: 'Not run: there is no sandbox.' })
  if (read.failures.length === 0) return 'not_verified'
  return planNextTurn(loop, 'some edits could not be applied', () => toRepairTurn(read))
}

async function verifyEdits(loop: AgentLoop, read: ParsedAnswer): Promise<LoopStopReason | null> {
  const { plan, state } = loop
  const verification = await verify(loop, state.attempts[0]?.verdict ?? null)
  await reportTests(loop, verification)
  const { verdict, decisive, isVerified } = verification
  state.attempts.push(toAttempt(loop, verification))
  if (isVerified) return 'verified'
  if (provesNothing(verification)) {
    // The command passes in any case, so it cannot judge another attempt.
    if (read.failures.length === 0) return 'not_verified'
    return planNextTurn(loop, 'some edits could not be applied', () => toRepairTurn(read))
  }
  const line = `changed ${read.edits.map(({ path }) => path).join(', ')}; ${describeFailures(verdict)}`
  return planNextTurn(loop, line, (hint) => {
    // Restore the files that decide about the tests: the next attempt must leave them alone.
    state.workspace = restorePaths(state.workspace, plan.base, decisive)
    return { kind: 'fix', tests: toTestOutput(verdict, read), hint: buildHint(hint, decisive) }
  })
}

/** The command passed before any change and reports no tests. */
const provesNothing = ({ verdict, decisive }: Verification): boolean =>
  verdict.evidence === 'passed-before' && decisive.length === 0

function toAttempt(
  { plan, state }: AgentLoop,
  { verdict, decisive, isVerified }: Verification,
): AttemptState {
  const isOwnMerit = isVerified || decisive.length === 0
  return {
    stateHash: hashState(plan.base, state.workspace),
    signature: isOwnMerit ? verdict.signature : `${verdict.signature} with ${decisive.join(' ')} changed`,
    failing: isOwnMerit ? verdict.failing : Number.POSITIVE_INFINITY,
    workspace: state.workspace,
    verdict,
  }
}

async function reportTests({ progressStream, state }: AgentLoop, verification: Verification) {
  const { verdict, decisive, isVerified } = verification
  const note = provesNothing(verification)
    ? PROVES_NOTHING
    : decisive.length > 0
      ? decisiveNote(decisive)
      : null
  await progressStream.step({
    step: 'verify',
    turn: state.iterations,
    costMinor: state.chargedMinor,
    ok: isVerified,
    ...toTestCounts(verdict),
    ...(note && { note }),
    ...(!isVerified && { excerpt: verdict.excerpt }),
  })
}

const PROVES_NOTHING =
  'Shows nothing: the command passed before anything was changed, and it reports no tests.'
const decisiveNote = (decisive: readonly string[]): string =>
  `Does not count: ${decisive.join(', ')} decide about the tests.`

export const toTestCounts = ({ report }: TestVerdict): { tests?: { passed: number; failed: number } } =>
  report.reporter === null ? {} : { tests: { passed: report.passed, failed: report.failed } }

/** Decides from the attempts so far whether to continue, and prepares the next turn. */
async function planNextTurn(
  { progressStream, plan, state }: AgentLoop,
  line: string,
  toNextTurn: (hint: string | null) => NextTurn,
): Promise<LoopStopReason | null> {
  state.attemptSummaries.push(`attempt ${state.iterations}: ${line}`)
  const move = chooseNextStep(state.attempts)
  if (move.kind === 'stop') return 'stuck'
  if (state.iterations >= plan.maxIterations) return 'max_iters'
  const from: WorkspaceFiles | undefined =
    move.from === null ? undefined : state.attempts[move.from]?.workspace
  if (from) state.workspace = from
  state.nextTurn = toNextTurn(move.hint)
  await progressStream.step({
    step: 'retry',
    turn: state.iterations + 1,
    ok: true,
    costMinor: state.chargedMinor,
    note: move.hint ?? line,
  })
  return null
}

const toRepairTurn = ({ envelope, failures, unparsedText }: ParsedAnswer): NextTurn => ({
  kind: 'repair',
  unparsedText,
  needsPaths: failures.some(({ reason }) => reason === 'unknown_path'),
  failures: failures.map(({ path, message, closest }) => ({
    path,
    reason: message,
    attempt: attemptedText(envelope, path),
    closest,
  })),
})

const NAMED_MAX = 3

function describeFailures({ report, failing }: TestVerdict): string {
  const names = report.failures
    .slice(0, NAMED_MAX)
    .map(({ name, message }) => `${name} (${firstLine(message)})`)
  if (names.length > 0) return `${report.failed} failed: ${names.join('; ')}`
  return failing === Number.POSITIVE_INFINITY ? 'the tests did not get to their end' : `${failing} failed`
}

const firstLine = (text: string): string => text.trim().split('\n')[0]?.slice(0, 120) ?? ''

function toTestOutput({ excerpt }: TestVerdict, { failures }: ParsedAnswer): string {
  if (failures.length === 0) return excerpt
  const unapplied = failures.map(({ path, message }) => `${path}: ${message}`).join('\n')
  return `Edits of the last answer that could not be applied:\n${unapplied}\n\n${excerpt}`
}

function buildHint(hint: string | null, decisive: readonly string[]): string | undefined {
  const back =
    decisive.length === 0
      ? null
      : `The last attempt changed ${decisive.join(', ')}, which decide whether the tests pass. They were put back. Make the tests pass without changing them.`
  const hints = [hint, back].filter((each) => each !== null)
  return hints.length === 0 ? undefined : hints.join(' ')
}
