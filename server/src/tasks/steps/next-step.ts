// Decides what a turn does next, from its stored steps alone. A worker that resumes a turn therefore continues where the last one
// stopped.
import type { TurnStop } from '../types.ts'
import type { TurnVerification } from '../verify/types.ts'
import { isStuck } from './progress.ts'
import { modelOutcomeOf } from './step-types.ts'
import type { StepOfTask, TurnState } from './turn-context.ts'

export type NextStep =
  /** Asks the model. `n` may be a step that was dispatched and never finished. */
  | { readonly kind: 'model'; readonly n: number }
  | { readonly kind: 'tools'; readonly steps: readonly StepOfTask[] }
  /** For results of the caller's tools, or for approvals. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'end'; readonly reason: TurnStop }

export const MODEL_STEPS_MAX = 80
const CUT_ANSWERS_MAX = 3
/** How often a failed verification is given back to the model. */
const REPAIRS_MAX = 2

export function nextStep({ turn, steps: all }: Pick<TurnState, 'turn' | 'steps'>): NextStep {
  const steps = all.filter(({ turnId }) => turnId === turn.id)
  if (turn.stopRequested) return { kind: 'end', reason: 'stopped' }
  const last = steps.at(-1)
  if (!last) return { kind: 'model', n: 1 }
  const open = steps.filter(({ kind, doneAt }) => kind === 'tool' && doneAt === null)
  if (open.length > 0) {
    const approval = open.findIndex(({ awaits }) => awaits === 'approval')
    // Later calls may build on the one that needs an approval.
    const ready = (approval < 0 ? open : open.slice(0, approval)).filter(({ awaits }) => awaits === null)
    return ready.length > 0 ? { kind: 'tools', steps: ready } : { kind: 'wait' }
  }
  if (last.doneAt === null) return { kind: 'model', n: last.n }
  if (last.kind === 'model') return afterAnswer(last, steps)
  if (last.kind === 'verify' && !mayRepair(last, steps)) return { kind: 'end', reason: 'completed' }
  if (isStuck(steps)) return { kind: 'end', reason: 'no_progress' }
  if (countModelSteps(steps) >= MODEL_STEPS_MAX) return { kind: 'end', reason: 'step_limit' }
  return { kind: 'model', n: last.n + 1 }
}

/** The last answer has no tool calls: those would follow it as steps. */
function afterAnswer(last: StepOfTask, steps: readonly StepOfTask[]): NextStep {
  const { finish } = modelOutcomeOf(last)
  if (finish === 'content_filter') return { kind: 'end', reason: 'declined' }
  if (finish !== 'length') return { kind: 'end', reason: 'completed' }
  const cut = steps.filter(
    (step) => step.kind === 'model' && modelOutcomeOf(step)?.finish === 'length',
  ).length
  return cut > CUT_ANSWERS_MAX ? { kind: 'end', reason: 'no_progress' } : { kind: 'model', n: last.n + 1 }
}

const REPAIRABLE: ReadonlySet<TurnVerification['reason']> = new Set([
  'still_fails',
  'tests_changed',
  'hard_coded',
])

/** Whether a failed verification goes back to the model. */
function mayRepair({ outcome }: StepOfTask, steps: readonly StepOfTask[]): boolean {
  const { verified, reason } = outcome as TurnVerification
  const rounds = steps.filter(({ kind }) => kind === 'verify').length
  return !verified && REPAIRABLE.has(reason) && rounds <= REPAIRS_MAX
}

const countModelSteps = (steps: readonly StepOfTask[]): number =>
  steps.filter(({ kind }) => kind === 'model').length

/** The verification of the current files, if no model step followed it. */
export function currentVerification({
  turn,
  steps,
}: Pick<TurnState, 'turn' | 'steps'>): TurnVerification | null {
  const last = steps.filter(({ turnId }) => turnId === turn.id).at(-1)
  return last?.kind === 'verify' && last.doneAt !== null ? (last.outcome as TurnVerification) : null
}
