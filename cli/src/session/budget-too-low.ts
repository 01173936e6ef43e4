// A budget that the service refuses, because more was spent already or may be spent by the open turn.
import { CowrieError } from '@cowrie/sdk'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import type { Task } from './service.ts'
import type { StoredState } from './state.ts'

export class BudgetTooLow extends Failure {
  /** The least budget of the session. */
  readonly leastMinor: bigint

  constructor(leastMinor: bigint) {
    super('budget_too_low', 'More than this budget was spent already, or may be spent by the open turn.', {
      exit: EXIT.money,
    })
    this.leastMinor = leastMinor
  }
}

/** Throws the error, with the least budget if the service refused this one. */
export async function explainBudget(
  error: unknown,
  readTask: () => Promise<Task>,
  { exploredMinor }: Pick<StoredState, 'exploredMinor'>,
): Promise<never> {
  const isRefused = error instanceof CowrieError && error.fields.some(({ path }) => path === 'budgetMinor')
  if (!isRefused) throw error
  const { spentMinor, turns } = await readTask()
  const open = turns.find(({ finishedAt }) => finishedAt === null)
  // A turn under way may still spend its maximum.
  throw new BudgetTooLow(spentMinor + exploredMinor + (open ? open.maxMinor - open.spentMinor : 0n))
}
