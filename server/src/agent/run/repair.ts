// At most one more turn, for edits that could not be applied or found. It never makes a run fail or exceed its quote:
// if it is unaffordable or does not help, the edits of the first turn stand alone.
import type { EditFailure } from '@cowrie/workspace/edits/failures.ts'
import { ApiError, type ErrorCode } from '../../kernel/errors.ts'
import {
  chargeFor,
  type FinishedTurn,
  releaseTurn,
  renewHold,
  runModelTurn,
} from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { draftRepairPrompt, type PromptDraft } from '../prompt/prompt.ts'
import type { PreparedRun } from '../quote/prepare.ts'
import type { AgentRunRequest } from '../schema.ts'
import type { AgentRunId } from '../sql.ts'
import { attemptedText, type ParsedAnswer, parseAnswerWithSecrets } from './answer.ts'
import { checkOrgStatus } from './lifecycle.ts'
import type { RunStream } from './run-stream.ts'
import type { RunStopSignals } from './stop-signals.ts'
import { applyEdits } from './workspace.ts'

export type ActiveRun = {
  readonly id: AgentRunId
  readonly actor: Actor
  readonly requestId: string
  readonly body: AgentRunRequest
  readonly prepared: PreparedRun
  readonly stops: RunStopSignals
  /** Set when the stream opens; null for a plain reply. */
  stream: RunStream | null
  /** Turns with a hold that is not yet settled, in order. */
  readonly taken: FinishedTurn[]
}

export type RepairResult =
  | { readonly kind: 'not_needed' }
  | { readonly kind: 'done'; readonly read: ParsedAnswer }
  | { readonly kind: 'unaffordable' | 'failed' | 'stopped' }

export type RepairInput = {
  readonly files: ReadonlyMap<string, string>
  readonly read: ParsedAnswer
  readonly first: FinishedTurn
}

/** A useful repair turn is settled with the others; a useless one is released. */
export async function repairEdits(app: App, run: ActiveRun, input: RepairInput): Promise<RepairResult> {
  const failures = input.read.failures.filter(({ reason }) => !BEYOND_REPAIR.has(reason))
  if (failures.length === 0 && input.read.unparsedText === null) return { kind: 'not_needed' }
  if (run.stops.reason() !== null) return { kind: 'stopped' }
  // The organisation may have been suspended or restricted since the start.
  if (await checkOrgStatus(app, run.actor.orgId, run.prepared.route)) return { kind: 'failed' }
  const current = applyEdits(input.files, input.read.edits)
  // The first turn is settled after the last one, so its hold must be renewed until then.
  const renewal = renewHold(app, input.first.turn)
  try {
    const draft = await draftRepair(run, current, input.read, failures)
    const taken = await takeRepairTurn(app, run, input.first, draft)
    const { secrets, nonce } = run.prepared
    const read = await parseAnswerWithSecrets(secrets, current, draft.context, nonce, taken.answer)
    const isStopped = taken.answer.finish === 'stopped'
    if (isStopped || read.edits.length === 0) {
      await releaseTurn(app, taken.turn)
      return { kind: isStopped && run.stops.reason() === 'stopped' ? 'stopped' : 'failed' }
    }
    run.taken.push(taken)
    await run.stream?.step('repair', read, run.taken)
    return { kind: 'done', read }
  } catch (error) {
    const kind = classifyFailure(error)
    return { kind: run.stops.reason() === 'stopped' ? 'stopped' : kind }
  } finally {
    clearInterval(renewal)
  }
}

/** Size limits cannot be repaired by asking again. */
const BEYOND_REPAIR: ReadonlySet<EditFailure['reason']> = new Set([
  'file_too_large',
  'total_too_large',
  'too_many_files',
])

const UNAFFORDABLE: ReadonlySet<ErrorCode> = new Set([
  'budget_too_low',
  'insufficient_funds',
  'member_cap_reached',
  'key_budget_exceeded',
])
const UNHELPFUL: ReadonlySet<ErrorCode> = new Set([
  'upstream_failed',
  'upstream_unavailable',
  'upstream_refused',
  'prompt_too_long',
])

function classifyFailure(error: unknown): 'unaffordable' | 'failed' {
  if (error instanceof ApiError && UNAFFORDABLE.has(error.code)) return 'unaffordable'
  if (error instanceof ApiError && UNHELPFUL.has(error.code)) return 'failed'
  throw error
}

async function draftRepair(
  { prepared }: ActiveRun,
  current: ReadonlyMap<string, string>,
  { envelope, unparsedText }: ParsedAnswer,
  failures: readonly EditFailure[],
): Promise<PromptDraft> {
  const about = new Set(failures.flatMap(({ path, closest = '' }) => [path, closest]))
  const files = [...current]
    .filter(([path]) => unparsedText !== null || about.has(path))
    .map(([path, content]) => ({ path, content }))
  const shown = await prepared.secrets.hideFiles(files)
  return draftRepairPrompt(
    prepared.nonce,
    {
      prompt: prepared.prompt,
      plan: envelope.plan,
      failures: failures.map(({ path, message, closest }) => ({
        path,
        reason: message,
        attempt: attemptedText(envelope, path),
        closest,
      })),
      unparsedText,
      files: shown,
      secretRule: prepared.secrets.rule,
      paths: failures.some(({ reason }) => reason === 'unknown_path') ? [...current.keys()] : [],
    },
    prepared.limits.promptTokens,
  )
}

/** Costs at most the rest of the budget after the first turn. */
function takeRepairTurn(
  app: App,
  running: ActiveRun,
  first: FinishedTurn,
  draft: PromptDraft,
): Promise<FinishedTurn> {
  const { id, actor, requestId, prepared, stops, stream } = running
  const { route, limits, budget } = prepared
  stream?.beginAnswer(prepared.nonce)
  const spent = first.used ? chargeFor(first.turn, first.used) : { chargedMinor: 0n, spentMicroKobo: 0n }
  return runModelTurn(app, {
    orgId: actor.orgId,
    userId: actor.userId,
    keyId: actor.keyId,
    currency: actor.org.currency,
    ref: `${id}.2`,
    source: 'agent',
    workKind: 'run',
    requestId,
    route,
    messages: draft.messages,
    promptTokens: draft.promptTokens,
    outputCeiling: limits.repairOutputTokens,
    leastOutput: limits.minOutputTokens,
    spentMicroKobo: spent.spentMicroKobo,
    maxMinor: budget.maxMinor - spent.chargedMinor,
    signal: stops.turnSignal,
    ...(stream && { onText: stream.showText }),
  })
}
