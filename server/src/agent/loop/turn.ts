// One model turn of a loop: call the model, apply the edits, and store the result in the transaction that charges it.
import { ApiError } from '../../kernel/errors.ts'
import { type FinishedTurn, releaseTurn, runModelTurn, settleFinishedIn } from '../../metering/metering.ts'
import { type Nonce, newNonce } from '../prompt/markers.ts'
import { draftFixPrompt, draftRepairPrompt, type PromptDraft } from '../prompt/prompt.ts'
import type { ParsedAnswer } from '../run/answer.ts'
import { parseAnswerWithSecrets } from '../run/answer.ts'
import { createLivePreview } from '../run/live-preview.ts'
import { applyEdits, listChangedPaths } from '../run/workspace.ts'
import { toLoopRecord } from './loop-record.ts'
import * as sql from './sql.ts'
import type { AgentLoop } from './state.ts'
import { LoopStopped } from './stops.ts'

/**
 * Takes the turn of an iteration. On return, the iteration is charged and stored; on an error, nothing is charged.
 * `onHeld` is called when the hold exists, before the model is called.
 */
export async function takeIterationTurn(
  loop: AgentLoop,
  onHeld?: () => Promise<void>,
): Promise<ParsedAnswer> {
  const { app, plan, state } = loop
  const { route, limits, budget } = plan.prepared
  const { nonce, draft } = await buildPrompt(loop)
  const live = createLivePreview(nonce)
  let shownCharacters = 0
  const taken = await runModelTurn(app, {
    orgId: plan.actor.orgId,
    userId: plan.actor.userId,
    keyId: plan.actor.keyId,
    currency: plan.actor.org.currency,
    ref: `${plan.id}.${state.iterations + 1}`,
    source: 'agent',
    workKind: 'loop',
    requestId: plan.requestId,
    route,
    messages: draft.messages,
    promptTokens: draft.promptTokens,
    outputCeiling: limits.outputTokens,
    leastOutput: limits.minOutputTokens,
    spentMicroKobo: state.spentMicroKobo,
    maxMinor: budget.maxMinor - state.chargedMinor,
    signal: plan.stops.turnSignal,
    ...(onHeld && { onHeld }),
    onText: (text) => {
      const delta = live(text)
      shownCharacters += delta.trim().length
      return delta === '' ? undefined : loop.progressStream.send({ delta })
    },
  })
  return storeAnswer(loop, { nonce, draft }, { ...taken, shownCharacters })
}

type TurnPrompt = { readonly nonce: Nonce; readonly draft: PromptDraft }
/** `shownCharacters`: how much of the answer the client has received. */
type StreamedTurn = FinishedTurn & { readonly shownCharacters: number }

/** Builds the prompt from the current files, so its size does not grow with the number of turns. */
async function buildPrompt({ plan, state }: AgentLoop): Promise<TurnPrompt> {
  const { base, prepared } = plan
  const { nextTurn, workspace, attemptSummaries } = state
  if (nextTurn.kind === 'edit') return prepared
  const nonce = newNonce()
  const room = prepared.limits.promptTokens
  const { prompt, secrets } = prepared
  const changed = new Set(listChangedPaths(base, workspace))
  const all = [...workspace].map(([path, content]) => ({ path, content }))
  const sorted = all.toSorted((a, b) => Number(changed.has(b.path)) - Number(changed.has(a.path)))
  const files = await secrets.hideFiles(sorted)
  const secretRule = secrets.rule
  const paths = nextTurn.kind === 'repair' && nextTurn.needsPaths ? [...workspace.keys()] : []
  const draft =
    nextTurn.kind === 'repair'
      ? draftRepairPrompt(nonce, { ...nextTurn, prompt, plan: state.plan, files, paths, secretRule }, room)
      : draftFixPrompt(
          nonce,
          {
            prompt,
            files,
            tests: nextTurn.tests,
            attempts: attemptSummaries,
            hint: nextTurn.hint,
            secretRule,
          },
          room,
        )
  return { nonce, draft }
}

/** Applies an answer and charges it. An answer that cannot be stored is not charged. */
async function storeAnswer(
  loop: AgentLoop,
  { nonce, draft }: TurnPrompt,
  taken: StreamedTurn,
): Promise<ParsedAnswer> {
  const { app, plan, state } = loop
  try {
    const { finish } = taken.answer
    if (finish === 'stopped' && taken.shownCharacters === 0)
      throw new LoopStopped(plan.stops.reason() ?? 'interrupted')
    const { secrets } = plan.prepared
    const read = await parseAnswerWithSecrets(secrets, state.workspace, draft.context, nonce, taken.answer)
    requireUsableAnswer(taken, read)
    recordAnswer(loop, draft, read)
    if (finish !== 'stop') state.warnings.add('answer_cut')
    await chargeTurn(loop, taken, isFree(taken, read))
    return read
  } catch (error) {
    await releaseTurn(app, taken.turn).catch((failure) =>
      app.log.warn({ err: failure, runId: plan.id }, 'agent.hold.release_failed'),
    )
    throw error
  }
}

/**
 * Refuses an answer that was cut before its first complete file, or that is empty. Text already shown to the client
 * counts as delivered.
 */
function requireUsableAnswer(
  { answer, shownCharacters }: StreamedTurn,
  { envelope, edits, failures }: ParsedAnswer,
): void {
  if (shownCharacters > 0 || edits.length > 0) return
  if (answer.finish === 'length')
    throw new ApiError('upstream_failed', {
      error:
        'The answer was too long and was cut before a file was complete; nothing was charged for it. Ask for less at once.',
    })
  const isEmpty = envelope.plan.trim() === '' && envelope.summary.trim() === '' && failures.length === 0
  if (isEmpty) throw new ApiError('upstream_failed')
}

/** Longer prose than a plan and a summary is charged, even without edits. */
const FREE_CHARACTERS_MAX = 2_000

/** A finished answer that intended edits and made none is free. */
const isFree = ({ answer, shownCharacters }: StreamedTurn, { edits, intendsEdits }: ParsedAnswer): boolean =>
  answer.finish === 'stop' && intendsEdits && edits.length === 0 && shownCharacters <= FREE_CHARACTERS_MAX

function recordAnswer({ state }: AgentLoop, draft: PromptDraft, read: ParsedAnswer): void {
  const { envelope, edits, failures, dropped, warnings } = read
  if (state.iterations === 0) state.context = draft.context
  state.workspace = applyEdits(state.workspace, edits)
  state.intendedEdits ||= read.intendsEdits
  state.isUnparsed = read.unparsedText !== null
  if (!state.isUnparsed) {
    state.plan ||= envelope.plan
    state.summary = envelope.summary || state.summary
  }
  state.summaries.set(state.workspace, state.summary)
  for (const { path, description } of edits) state.descriptions.set(path, description)
  for (const each of dropped) state.dropped.set(each.path, each)
  state.failures = failures
  for (const warning of warnings) state.warnings.add(warning)
}

async function chargeTurn(loop: AgentLoop, taken: FinishedTurn, isFree: boolean): Promise<void> {
  const { app, plan, state } = loop
  const { id, actor } = plan
  const written = toLoopRecord(loop, state.workspace, {}, isFree && state.chargedMinor === 0n)
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
