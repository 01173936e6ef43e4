// Finishes a step without a model: by rules, free of charge, with a warning event.
import type { Tx } from '../../platform/db/tx.ts'
import type { FallbackReason } from '../engine/model-turn.ts'
import { type RunContext, SupersededError, withFence } from '../engine/run-context.ts'
import { appendEvents, type RunEvent } from '../run-events.ts'
import { finishStep, saveStopReason } from '../runs-sql.ts'

const REASON_TEXTS: Readonly<Record<FallbackReason, string>> = {
  budget: 'because the budget or the balance does not cover another model turn',
  unusable: 'because the model gave no usable answer; that turn was not charged',
  upstream: 'because the model was unavailable; nothing was charged for it',
  closed: 'because this organisation cannot use models right now',
  late: 'because the run reached its time limit',
}

export type StepResult = { outcome: object; events: readonly RunEvent[] }
export type FallbackStep = { readonly step: string; readonly what: string; readonly without: FallbackReason }

/** Saves the result of the rules. If money or policy is the reason, the run continues with its report. */
export function finishWithoutModel(
  context: RunContext,
  { step, what, without }: FallbackStep,
  keep: (tx: Tx) => Promise<StepResult>,
): Promise<void> {
  const { run } = context
  return withFence(context, async (tx) => {
    const { outcome, events } = await keep(tx)
    if (!(await finishStep(tx, run, step, { ...outcome, without }))) throw new SupersededError()
    if (without === 'budget') await saveStopReason(tx, run, 'budget')
    if (without === 'closed') await saveStopReason(tx, run, 'error')
    const message = `${what} was made by rules ${REASON_TEXTS[without]}.`
    await appendEvents(tx, run.id, [
      { kind: 'warning', code: `without_model_${without}`, message },
      ...events,
    ])
  })
}
