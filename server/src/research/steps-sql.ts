// Every statement about the steps of runs: dispatched, then done once.
import { toJson } from '../kernel/json.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { RunRecord } from './runs-sql.ts'

type RunKey = Pick<RunRecord, 'id' | 'orgId'>

export type StepRecord = { step: string; outcome: unknown }

export function listFinishedSteps(tx: Tx, { id, orgId }: RunKey) {
  return tx.content.rows<StepRecord>`
    select step, outcome from research_steps
    where run_id = ${id} and org_id = ${orgId} and done_at is not null order by done_at, step`
}

/** Counts a dispatch of a step, and says which it is. */
export async function dispatchStep(tx: Tx, { id, orgId }: RunKey, step: string): Promise<number> {
  const { dispatches } = await tx.content.one<{ dispatches: number }>`
    insert into research_steps (run_id, step, org_id, dispatches, began_at) values (${id}, ${step}, ${orgId}, 1, ${tx.now})
    on conflict (run_id, step) do update set dispatches = research_steps.dispatches + 1
    returning dispatches`
  return dispatches
}

/** False when it was done before: then nothing of it is kept again. */
export async function finishStep(
  tx: Tx,
  { id, orgId }: RunKey,
  step: string,
  outcome: unknown,
): Promise<boolean> {
  const row = await tx.content.maybe<{ step: string }>`
    insert into research_steps (run_id, step, org_id, began_at, done_at, outcome)
    values (${id}, ${step}, ${orgId}, ${tx.now}, ${tx.now}, ${toJson(outcome)}::text::json)
    on conflict (run_id, step) do update set done_at = excluded.done_at, outcome = excluded.outcome
      where research_steps.done_at is null
    returning step`
  return row !== undefined
}
