// What could not be read is made up for by what would have come next.
import { type ResearchStep, stepName } from '../engine/next-step.ts'
import { type RunContext, SupersededError, withFenceUnlessCancelled } from '../engine/run-context.ts'
import { requeueSources } from '../sources-sql.ts'
import { finishStep } from '../steps-sql.ts'

export function refillSources(
  working: RunContext,
  { pass, numbers }: ResearchStep & { kind: 'refill' },
): Promise<void> {
  const { run } = working
  return withFenceUnlessCancelled(working, async (tx) => {
    if (!(await finishStep(tx, run, stepName.refill(pass), { numbers }))) throw new SupersededError()
    await requeueSources(tx, run, numbers, pass)
  })
}
