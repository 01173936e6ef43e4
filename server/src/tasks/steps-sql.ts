// SQL of the steps of turns: model calls, tool calls and verifications. Each is done once.
import type { OrgId } from '../kernel/ids.ts'
import { toJson } from '../kernel/json.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'
import type { TurnKey } from './turns-sql.ts'
import type { TaskId, TurnId } from './types.ts'

export type StepKind = 'model' | 'compact' | 'tool' | 'verify'

export type TaskStep = {
  turnId: TurnId
  n: number
  kind: StepKind
  dispatches: number
  input: unknown
  outcome: unknown
  callId: string | null
  /** The step waits for this: the result of the caller's tool, or an approval. */
  awaits: 'result' | 'approval' | null
  costMinor: bigint
  doneAt: Date | null
}
type StepRow = TaskStep & { ordinal: number }

/**
 * The steps that the conversation of a task consists of, in order: those of earlier turns after the last summary, and all of the
 * current turn.
 */
export function listConversation(tx: Tx, org: OrgId, task: TaskId, current: TurnId): Promise<StepRow[]> {
  return tx.content.rows<StepRow>`
    with summary as (
      select t.ordinal, s.n from task_turns t join task_steps s on s.turn_id = t.id
      where t.task_id = ${task} and t.org_id = ${org} and s.kind = 'compact' and s.done_at is not null
      order by t.ordinal desc, s.n desc limit 1)
    select s.turn_id as "turnId", t.ordinal, s.n, s.kind, s.dispatches, s.input, s.outcome, s.call_id as "callId", s.awaits,
           s.cost_minor as "costMinor", s.done_at as "doneAt"
    from task_turns t join task_steps s on s.turn_id = t.id
    where t.task_id = ${task} and t.org_id = ${org}
      and (t.id = ${current} or (t.ordinal, s.n) >= (select coalesce(max(ordinal), 0), coalesce(max(n), 0) from summary))
    order by t.ordinal, s.n`
}

/** The steps of one turn from a number on, in order. */
export function listStepsFrom(tx: Tx, { id, orgId }: TurnKey, n: number): Promise<StepRow[]> {
  return tx.content.rows<StepRow>`
    select s.turn_id as "turnId", t.ordinal, s.n, s.kind, s.dispatches, s.input, s.outcome, s.call_id as "callId", s.awaits,
           s.cost_minor as "costMinor", s.done_at as "doneAt"
    from task_turns t join task_steps s on s.turn_id = t.id
    where t.id = ${id} and t.org_id = ${orgId} and s.n >= ${n} order by s.n`
}

/** The calls of a turn that wait for the caller, in order. */
export function listAwaiting(tx: Tx, { id, orgId }: TurnKey): Promise<StepRow[]> {
  return tx.content.rows<StepRow>`
    select s.turn_id as "turnId", t.ordinal, s.n, s.kind, s.dispatches, s.input, s.outcome, s.call_id as "callId", s.awaits,
           s.cost_minor as "costMinor", s.done_at as "doneAt"
    from task_turns t join task_steps s on s.turn_id = t.id
    where t.id = ${id} and t.org_id = ${orgId} and s.awaits is not null order by s.n`
}

/** The given ids that are calls of a task. */
export async function findCallIds(
  tx: Tx,
  org: OrgId,
  task: TaskId,
  callIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.content.rows<{ callId: string }>`
    select s.call_id as "callId" from task_turns t join task_steps s on s.turn_id = t.id
    where t.task_id = ${task} and t.org_id = ${org} and s.call_id = any(${[...callIds]}::text[])`
  return new Set(rows.map(({ callId }) => callId))
}

/** One call of a task. */
export function findCall(tx: Tx, org: OrgId, task: TaskId, callId: string): Promise<StepRow | undefined> {
  return tx.content.maybe<StepRow>`
    select s.turn_id as "turnId", t.ordinal, s.n, s.kind, s.dispatches, s.input, s.outcome, s.call_id as "callId", s.awaits,
           s.cost_minor as "costMinor", s.done_at as "doneAt"
    from task_turns t join task_steps s on s.turn_id = t.id
    where t.task_id = ${task} and t.org_id = ${org} and s.call_id = ${callId}`
}

/** Counts a dispatch of a model step, and returns its number. */
export async function dispatchStep(
  tx: Tx,
  { id, orgId }: TurnKey,
  n: number,
  kind: 'model' | 'compact',
): Promise<number> {
  const { dispatches } = await tx.content.one<{ dispatches: number }>`
    insert into task_steps (turn_id, n, org_id, kind, dispatches, began_at) values (${id}, ${n}, ${orgId}, ${kind}, 1, ${tx.now})
    on conflict (turn_id, n) do update set dispatches = task_steps.dispatches + 1
    returning dispatches`
  return dispatches
}

/** An unfinished model step becomes a summary of the conversation. */
export async function makeCompaction(tx: Tx, { id, orgId }: TurnKey, n: number): Promise<void> {
  await tx.content.rows`
    update task_steps set kind = 'compact'
    where turn_id = ${id} and n = ${n} and org_id = ${orgId} and kind = 'model' and done_at is null`
}

export type NewToolStep = {
  readonly n: number
  readonly callId: string
  readonly input: unknown
  readonly awaits: TaskStep['awaits']
}

/** Stores tool calls before they are acted on. */
export async function insertToolSteps(
  tx: Tx,
  { id, orgId }: TurnKey,
  steps: readonly NewToolStep[],
): Promise<void> {
  for (const step of steps)
    await tx.content.rows`
      insert into task_steps (turn_id, n, org_id, kind, input, call_id, awaits, began_at)
      values (${id}, ${step.n}, ${orgId}, 'tool', ${toJson(step.input)}::text::json, ${step.callId}, ${step.awaits}, ${tx.now})`
}

export type StepEnd = {
  readonly n: number
  readonly outcome: unknown
  readonly fullOutput?: string | null
  readonly costMinor?: bigint
}

/** False if the step was already done. Its results must not be saved again. */
export async function finishStep(
  tx: Tx,
  { id, orgId }: TurnKey,
  kind: StepKind,
  { n, outcome, fullOutput = null, costMinor = 0n }: StepEnd,
): Promise<boolean> {
  const row = await tx.content.maybe`
    insert into task_steps (turn_id, n, org_id, kind, outcome, full_output, cost_minor, began_at, done_at)
    values (${id}, ${n}, ${orgId}, ${kind}, ${toJson(outcome)}::text::json, ${fullOutput}, ${costMinor}, ${tx.now}, ${tx.now})
    on conflict (turn_id, n) do update
    set outcome = excluded.outcome, full_output = excluded.full_output, cost_minor = excluded.cost_minor,
        done_at = excluded.done_at, awaits = null
    where task_steps.done_at is null and task_steps.kind = excluded.kind
    returning n`
  return row !== undefined
}

/** The number of the last step of a turn, finished or not; 0 without steps. */
export async function lastStepNumber(tx: Tx, { id, orgId }: TurnKey): Promise<number> {
  const { last } = await tx.content.one<{ last: number }>`
    select coalesce(max(n), 0)::int as last from task_steps where turn_id = ${id} and org_id = ${orgId}`
  return last
}

/** Sets what an unfinished tool call waits for. */
export async function setAwaits(
  tx: Tx,
  { id, orgId }: TurnKey,
  n: number,
  awaits: TaskStep['awaits'],
): Promise<void> {
  await tx.content.rows`
    update task_steps set awaits = ${awaits} where turn_id = ${id} and n = ${n} and org_id = ${orgId} and done_at is null`
}

/** An approved call is done without asking again. */
export async function approveStep(tx: Tx, { id, orgId }: TurnKey, n: number, input: unknown): Promise<void> {
  await tx.content.rows`
    update task_steps set awaits = null, input = ${toJson(input)}::text::json
    where turn_id = ${id} and n = ${n} and org_id = ${orgId} and awaits = 'approval'`
}

/** The whole output of a tool call; null if the short one is all. Undefined if there is no such call. */
export function findOutput(tx: Tx, org: OrgId, task: TaskId, callId: string) {
  return tx.content.maybe<{
    input: unknown
    outcome: unknown
    fullOutput: string | null
    doneAt: Date | null
  }>`
    select s.input, s.outcome, s.full_output as "fullOutput", s.done_at as "doneAt"
    from task_steps s join task_turns t on t.id = s.turn_id
    where s.call_id = ${callId} and s.org_id = ${org} and t.task_id = ${task}`
}

export type ExportedStep = {
  id: string
  turnId: TurnId
  n: number
  kind: StepKind
  input: unknown
  outcome: unknown
  costMinor: bigint
  beganAt: Date
}

export function listStepsAfter(
  tx: Tx,
  org: OrgId,
  after: TimeCursor,
  limit: number,
  bytes: number,
): Promise<ExportedStep[]> {
  return tx.content.rows<ExportedStep>`
    select id, "turnId", n, kind, input, outcome, "costMinor", "beganAt"
    from (select turn_id || '.' || to_char(n, 'FM00000') as id, turn_id as "turnId", n, kind, input, outcome,
                 cost_minor as "costMinor", began_at as "beganAt",
                 sum(coalesce(octet_length(outcome::text), 0) + coalesce(octet_length(input::text), 0))
                   over (order by began_at, turn_id || '.' || to_char(n, 'FM00000') rows between unbounded preceding and 1 preceding)
                   as bytes_before
          from (select turn_id, n, kind, input, outcome, cost_minor, began_at from task_steps
                where org_id = ${org}
                  and (began_at, turn_id || '.' || to_char(n, 'FM00000')) > (${after.at}, ${after.id})
                order by began_at, turn_id || '.' || to_char(n, 'FM00000') limit ${limit}) as page) as sized
    where coalesce(bytes_before, 0) < ${bytes} order by "beganAt", id`
}

export type StepSizes = { steps: number; bytes: number }

/** The size of the transcript that the next request contains: since the last summary. */
export function sumStepSizes(tx: Tx, org: OrgId, task: string): Promise<StepSizes> {
  return tx.content.one<StepSizes>`
    with summary as (
      select t.ordinal, s.n from task_turns t join task_steps s on s.turn_id = t.id
      where t.task_id = ${task} and t.org_id = ${org} and s.kind = 'compact' and s.done_at is not null
      order by t.ordinal desc, s.n desc limit 1)
    select count(s.n)::int as steps, least(coalesce(sum(octet_length(s.outcome::text)), 0), 1000000000)::int as bytes
    from task_turns t join task_steps s on s.turn_id = t.id
    where t.task_id = ${task} and t.org_id = ${org}
      and not exists (select from summary where (t.ordinal, s.n) < (summary.ordinal, summary.n))`
}

/** Whether a tool of the turn created, changed or deleted a file, or may have done so where the caller runs it. */
export async function hasWritten(tx: Tx, { id, orgId }: TurnKey): Promise<boolean> {
  const row = await tx.content.maybe`
    select n from task_steps
    where turn_id = ${id} and org_id = ${orgId} and kind = 'tool' and done_at is not null
      and outcome ->> 'ok' = 'true'
      and (input ->> 'tool' in ('create', 'edit', 'delete') or input ->> 'mayWrite' = 'true') limit 1`
  return row !== undefined
}
