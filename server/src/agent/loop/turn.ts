// One turn of the model within a loop: ask, apply, and store what came of it in the transaction that charges it.
import { ApiError } from '../../kernel/errors.ts'
import { type FinishedTurn, releaseTurn, runModelTurn, settleFinishedIn } from '../../metering/metering.ts'
import type { ReadAnswer } from '../answer.ts'
import { type Nonce, newNonce } from '../markers.ts'
import { type Draft, fixMessages, repairMessages } from '../prompt.ts'
import { readHidden } from '../read-hidden.ts'
import { createLiveReader } from './live.ts'
import * as sql from './sql.ts'
import type { Loop } from './state.ts'
import { Stopped } from './stops.ts'
import { changedPaths, withEdits } from './workspace.ts'
import { writtenOf } from './written.ts'

/**
 * Takes the turn of an iteration. When this returns, the iteration is charged and stored; when it throws, the turn has
 * cost nothing. `onHeld` is called once its money is held, before the model is asked.
 */
export async function takeIteration(loop: Loop, onHeld?: () => Promise<void>): Promise<ReadAnswer> {
  const { app, plan, state } = loop
  const { route, limits, budget } = plan.prepared
  const { nonce, draft } = await questionOf(loop)
  const live = createLiveReader(nonce)
  let shownCharacters = 0
  const taken = await runModelTurn(app, {
    orgId: plan.actor.orgId,
    userId: plan.actor.userId,
    currency: plan.actor.org.currency,
    ref: `${plan.id}.${state.iterations + 1}`,
    source: 'agent',
    route,
    messages: draft.messages,
    promptTokens: draft.promptTokens,
    outputCeiling: limits.outputTokens,
    leastOutput: limits.leastOutputTokens,
    spentMicroKobo: state.spentMicroKobo,
    maxMinor: budget.maxMinor - state.chargedMinor,
    signal: plan.stops.ofTurn,
    ...(onHeld && { onHeld }),
    onText: (text) => {
      const delta = live(text)
      shownCharacters += delta.trim().length
      return delta === '' ? undefined : loop.narration.say({ delta })
    },
  })
  return keep(loop, { nonce, draft }, { ...taken, shownCharacters })
}

type Asked = { readonly nonce: Nonce; readonly draft: Draft }
/** `shownCharacters`: what of the answer the client has read along. */
type Heard = FinishedTurn & { readonly shownCharacters: number }

/** Always from the files as they are: no turn sees an old copy, and none is longer for those before it. */
async function questionOf({ plan, state }: Loop): Promise<Asked> {
  const { base, prepared } = plan
  const { errand, workspace, lines } = state
  if (errand.kind === 'edit') return prepared
  const nonce = newNonce()
  const room = prepared.limits.promptTokens
  const { prompt, secrets } = prepared
  const changed = new Set(changedPaths(base, workspace))
  const all = [...workspace].map(([path, content]) => ({ path, content }))
  const sorted = all.toSorted((a, b) => Number(changed.has(b.path)) - Number(changed.has(a.path)))
  const files = await secrets.hideFiles(sorted)
  const secretRule = secrets.rule
  const paths = errand.kind === 'repair' && errand.needsPaths ? [...workspace.keys()] : []
  const draft =
    errand.kind === 'repair'
      ? repairMessages(nonce, { ...errand, prompt, plan: state.plan, files, paths, secretRule }, room)
      : fixMessages(
          nonce,
          { prompt, files, tests: errand.tests, attempts: lines, hint: errand.hint, secretRule },
          room,
        )
  return { nonce, draft }
}

/** Applies an answer and charges for it. What cannot be kept is not charged. */
async function keep(loop: Loop, { nonce, draft }: Asked, taken: Heard): Promise<ReadAnswer> {
  const { app, plan, state } = loop
  try {
    const { finish } = taken.answer
    if (finish === 'stopped' && taken.shownCharacters === 0)
      throw new Stopped(plan.stops.reason() ?? 'interrupted')
    const { secrets } = plan.prepared
    const read = await readHidden(secrets, state.workspace, draft.context, nonce, taken.answer)
    requireUse(taken, read)
    note(loop, draft, read)
    if (finish !== 'stop') state.warnings.add('answer_cut')
    await charge(loop, taken, isFree(taken, read))
    return read
  } catch (error) {
    await releaseTurn(app, taken.turn).catch((failure) =>
      app.log.warn({ err: failure, runId: plan.id }, 'agent.hold.release_failed'),
    )
    throw error
  }
}

/**
 * An answer that was cut before its first file was whole, or says nothing, is no use to anybody; unless it was read along,
 * for what was read is delivered, whoever's limit cut it.
 */
function requireUse({ answer, shownCharacters }: Heard, { envelope, edits, failures }: ReadAnswer): void {
  if (shownCharacters > 0 || edits.length > 0) return
  if (answer.finish === 'length')
    throw new ApiError('upstream_failed', {
      error:
        'The answer was too long and was cut before a file was complete; nothing was charged for it. Ask for less at once.',
    })
  const isEmpty = envelope.plan.trim() === '' && envelope.summary.trim() === '' && failures.length === 0
  if (isEmpty) throw new ApiError('upstream_failed')
}

/** More prose than a plan and a summary need is worth its price, whatever became of the edits. */
const FREE_CHARACTERS_MAX = 2_000

/** A finished answer that meant to change files and changes none costs nothing. */
const isFree = ({ answer, shownCharacters }: Heard, { edits, isAttempt }: ReadAnswer): boolean =>
  answer.finish === 'stop' && isAttempt && edits.length === 0 && shownCharacters <= FREE_CHARACTERS_MAX

function note({ state }: Loop, draft: Draft, read: ReadAnswer): void {
  const { envelope, edits, failures, dropped, warnings } = read
  if (state.iterations === 0) state.context = draft.context
  state.workspace = withEdits(state.workspace, edits)
  state.hasTried ||= read.isAttempt
  state.isUnread = read.unread !== null
  if (!state.isUnread) {
    state.plan ||= envelope.plan
    state.summary = envelope.summary || state.summary
  }
  state.summaries.set(state.workspace, state.summary)
  for (const { path, description } of edits) state.why.set(path, description)
  for (const each of dropped) state.dropped.set(each.path, each)
  state.failures = failures
  for (const warning of warnings) state.warnings.add(warning)
}

async function charge(loop: Loop, taken: FinishedTurn, isFree: boolean): Promise<void> {
  const { app, plan, state } = loop
  const { id, actor } = plan
  const written = writtenOf(loop, state.workspace, {}, isFree && state.chargedMinor === 0n)
  const settled = await app.db.tx(actor.orgId, async (tx) => {
    const outcome = await settleFinishedIn(app, tx, isFree ? { ...taken, used: null } : taken)
    const iteration = { id, chargedMinor: outcome.chargedMinor, ...written }
    if (!(await sql.storeIteration(tx, actor.orgId, iteration))) throw new ApiError('work_ended')
    return outcome
  })
  state.iterations++
  state.chargedMinor += settled.chargedMinor
  state.spentMicroKobo = settled.spentMicroKobo
}
