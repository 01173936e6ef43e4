// Reads holds, runs and messages after the chaos run.
import type { Sql } from '../../src/platform/db/tx.ts'

export type HoldRow = { ref: string; userId: string; source: string; state: string; charged: bigint }

/** Holds of model calls. The holds of the other customers have different references. */
export const modelHolds = (owner: Sql) =>
  owner.rows<HoldRow>`
    select ref, user_id as "userId", source, state, charged_minor as charged from holds
    where ref like 'agr\\_%' or source in ('chat', 'gateway')`

export type RunRow = {
  id: string
  kind: string
  status: string
  prompt: string
  iterations: number
  cost: bigint
}

export const runs = (owner: Sql) =>
  owner.rows<RunRow>`select id, kind, status, prompt, iterations, cost_minor as cost from agent_runs`

export type AnswerRow = { id: string; status: string; cost: bigint; prompt: string; intent: string | null }

/** Answers with their questions. A question is stored one millisecond before its answer. */
export const answers = (owner: Sql) =>
  owner.rows<AnswerRow>`
    select a.id, a.status, a.cost_minor as cost, q.content as prompt, a.intent_id as intent
    from chat_messages a
    left join chat_messages q on q.thread_id = a.thread_id and q.role = 'user'
      and q.created_at = a.created_at - interval '1 millisecond'
    where a.role = 'assistant'`

/** The number of open holds, runs and answers. */
export const countUnfinished = async (owner: Sql): Promise<number> =>
  (
    await owner.one<{ count: number }>`
    select (select count(*) from holds where state = 'open')::int
         + (select count(*) from agent_runs where status = 'running')::int
         + (select count(*) from chat_messages where status = 'running')::int as count`
  ).count

/** Open and interrupted work by kind, for the output. */
export const unfinishedByKind = (owner: Sql) =>
  owner.one<{ holds: number; runs: number; messages: number; expired: number; interrupted: number }>`
    select (select count(*) from holds where state = 'open')::int as holds,
           (select count(*) from agent_runs where status = 'running')::int as runs,
           (select count(*) from chat_messages where status = 'running')::int as messages,
           (select count(*) from holds where state = 'expired')::int as expired,
           (select count(*) from agent_runs where stop_reason = 'interrupted')::int as interrupted`
