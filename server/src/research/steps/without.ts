// A step that does without a model: by rules, for nothing, and said so.
import type { Tx } from '../../platform/db/tx.ts'
import { type RunEvent, tell } from '../events.ts'
import { keepStopReason } from '../sql.ts'
import { finishStep } from '../steps-sql.ts'
import type { Without } from '../turn.ts'
import { fenced, Superseded, type Working } from '../working.ts'

const WHY: Readonly<Record<Without, string>> = {
  budget: 'because the budget or the balance does not cover another model turn',
  unusable: 'because the model gave no usable answer; that turn was not charged',
  upstream: 'because the model could not be reached; nothing was charged for it',
  closed: 'because this organisation may not use models right now',
  late: 'because the time of the run was up',
}

export type Kept = { outcome: object; events: readonly RunEvent[] }
export type Instead = { readonly step: string; readonly what: string; readonly without: Without }

/** Keeps what was made by rules instead. When money is the reason, the run goes on to its report. */
export function doWithout(
  working: Working,
  { step, what, without }: Instead,
  keep: (tx: Tx) => Promise<Kept>,
): Promise<void> {
  const { run } = working
  return fenced(working, async (tx) => {
    const { outcome, events } = await keep(tx)
    if (!(await finishStep(tx, run, step, { ...outcome, without }))) throw new Superseded()
    if (without === 'budget') await keepStopReason(tx, run, 'budget')
    if (without === 'closed') await keepStopReason(tx, run, 'error')
    const message = `${what} was made by rules ${WHY[without]}.`
    await tell(tx, run.id, [{ kind: 'warning', code: `without_model_${without}`, message }, ...events])
  })
}
