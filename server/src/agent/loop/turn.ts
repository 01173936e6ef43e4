// One turn of the model within a loop: ask, apply, and store what came of it in the transaction that charges it.
import { ApiError } from '../../kernel/errors.ts'
import { releaseTurn, settleTakenIn, type TakenTurn, takeTurn } from '../../metering/metering.ts'
import { type ReadAnswer, readAnswer } from '../answer.ts'
import { type Nonce, newNonce } from '../markers.ts'
import { type Draft, fixMessages, repairMessages } from '../prompt.ts'
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
  const { nonce, draft } = questionOf(loop)
  const live = createLiveReader(nonce)
  let isShown = false
  const taken = await takeTurn(app, {
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
      isShown ||= delta.trim() !== ''
      return delta === '' ? undefined : loop.narration.say({ delta })
    },
  })
  return keep(loop, { nonce, draft }, { ...taken, isShown })
}

type Asked = { readonly nonce: Nonce; readonly draft: Draft }
/** `isShown`: the client has read some of the answer along. */
type Heard = TakenTurn & { readonly isShown: boolean }

/** Always from the files as they are: no turn sees an old copy, and none is longer for those before it. */
function questionOf({ plan, state }: Loop): Asked {
  const { request, base, prepared } = plan
  const { errand, workspace, lines } = state
  if (errand.kind === 'edit') return prepared
  const nonce = newNonce()
  const room = prepared.limits.promptTokens
  const { prompt } = request
  const changed = new Set(changedPaths(base, workspace))
  const all = [...workspace].map(([path, content]) => ({ path, content }))
  const files = all.toSorted((a, b) => Number(changed.has(b.path)) - Number(changed.has(a.path)))
  const paths = errand.kind === 'repair' && errand.needsPaths ? [...workspace.keys()] : []
  const draft =
    errand.kind === 'repair'
      ? repairMessages(nonce, { prompt, plan: state.plan, failures: errand.failures, files, paths }, room)
      : fixMessages(nonce, { prompt, files, tests: errand.tests, attempts: lines, hint: errand.hint }, room)
  return { nonce, draft }
}

/** Applies an answer and charges for it. What cannot be kept is not charged. */
async function keep(loop: Loop, { nonce, draft }: Asked, taken: Heard): Promise<ReadAnswer> {
  const { app, plan, state } = loop
  try {
    const { finish } = taken.answer
    if (finish === 'stopped' && !taken.isShown) throw new Stopped(plan.stops.reason() ?? 'interrupted')
    const read = await readAnswer(state.workspace, draft.context, nonce, taken.answer)
    requireUse(taken, read)
    note(loop, draft, read)
    if (finish !== 'stop') state.warnings.add('answer_cut')
    await charge(loop, taken)
    return read
  } catch (error) {
    await releaseTurn(app, taken.turn).catch((failure) =>
      app.log.warn({ err: failure, runId: plan.id }, 'a hold stays until its deadline'),
    )
    throw error
  }
}

/**
 * An answer that was cut before its first file was whole, or says nothing, is no use to anybody; unless it was read along,
 * for what was read is delivered, whoever's limit cut it.
 */
function requireUse({ answer, isShown }: Heard, { envelope, edits, failures }: ReadAnswer): void {
  if (isShown || edits.length > 0) return
  if (answer.finish === 'length')
    throw new ApiError('upstream_failed', {
      error:
        'The answer was too long and was cut before a file was complete; nothing was charged for it. Ask for less at once.',
    })
  const isEmpty = envelope.plan.trim() === '' && envelope.summary.trim() === '' && failures.length === 0
  if (isEmpty) throw new ApiError('upstream_failed')
}

function note({ state }: Loop, draft: Draft, read: ReadAnswer): void {
  const { envelope, edits, failures, dropped, warnings } = read
  if (state.iterations === 0) state.context = draft.context
  state.workspace = withEdits(state.workspace, edits)
  state.plan ||= envelope.plan
  state.summary = envelope.summary || state.summary
  for (const { path, description } of edits) state.why.set(path, description)
  for (const each of dropped) state.dropped.set(each.path, each)
  state.failures = failures
  for (const warning of warnings) state.warnings.add(warning)
}

async function charge(loop: Loop, taken: TakenTurn): Promise<void> {
  const { app, plan, state } = loop
  const { id, actor } = plan
  const written = writtenOf(loop, state.workspace)
  const settled = await app.db.tx(actor.orgId, async (tx) => {
    const outcome = await settleTakenIn(app, tx, taken)
    const iteration = { id, chargedMinor: outcome.chargedMinor, ...written }
    if (!(await sql.storeIteration(tx, actor.orgId, iteration))) throw new ApiError('work_ended')
    return outcome
  })
  state.iterations++
  state.chargedMinor += settled.chargedMinor
  state.spentMicroKobo = settled.spentMicroKobo
}
