// What could not be read is made up for by what would have come next.
import { type Step, stepName } from '../next.ts'
import { queueAgain } from '../sources-sql.ts'
import { finishStep } from '../steps-sql.ts'
import { Superseded, type Working, whileWanted } from '../working.ts'

export function refill(working: Working, { pass, numbers }: Step & { kind: 'refill' }): Promise<void> {
  const { run } = working
  return whileWanted(working, async (tx) => {
    if (!(await finishStep(tx, run, stepName.refill(pass), { numbers }))) throw new Superseded()
    await queueAgain(tx, run, numbers, pass)
  })
}
