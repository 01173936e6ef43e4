// SQL of turns.
import type { KeyId, OrgId, UserId } from '../kernel/ids.ts'
import { toJson } from '../kernel/json.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'
import type { Attachment, TaskId, TurnId, TurnMode, TurnStop, Withheld } from './types.ts'
import type { TurnVerification } from './verify/types.ts'

export type TurnStatus = 'queued' | 'running' | 'waiting' | 'finished'

export type TaskTurn = {
  id: TurnId
  taskId: TaskId
  ordinal: number
  orgId: OrgId
  userId: UserId
  keyId: KeyId | null
  model: string
  prompt: string
  /** The contents can be large: see `listAttachments`. */
  attachmentNames: readonly string[]
  allowSecrets: boolean
  verifyCommand: string | null
  mode: TurnMode
  /** A summary replaces the conversation before the turn. */
  compact: boolean
  /** Of `task_clients`, as it was at the start. */
  clientVersion: number
  maxMinor: bigint
  spentMinor: bigint
  usedMicroKobo: bigint
  refundedMinor: bigint
  status: TurnStatus
  stopRequested: boolean
  stopReason: TurnStop | null
  errorCode: string | null
  firstChange: number
  lastChange: number | null
  summary: string | null
  verification: TurnVerification | null
  withheld: readonly Withheld[]
  failures: number
  /** Null for turns that started before it was stored. */
  afterSeq: number | null
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
}

/** Identifies a turn within its organisation. */
export type TurnKey = Pick<TaskTurn, 'id' | 'orgId'>

export type NewTurn = Pick<
  TaskTurn,
  | 'id'
  | 'taskId'
  | 'ordinal'
  | 'orgId'
  | 'userId'
  | 'keyId'
  | 'model'
  | 'prompt'
  | 'allowSecrets'
  | 'verifyCommand'
  | 'mode'
  | 'compact'
  | 'clientVersion'
  | 'maxMinor'
  | 'firstChange'
  | 'afterSeq'
> & { readonly attachments: readonly Attachment[] }

export async function insertTurn(tx: Tx, turn: NewTurn): Promise<void> {
  await tx.content.rows`
    insert into task_turns (id, task_id, ordinal, org_id, user_id, key_id, model, prompt, attachments, attachment_names,
                            attachment_bytes, allow_secrets, verify_command, mode, compact, client_version, max_minor, status,
                            first_change, after_seq, created_at)
    values (${turn.id}, ${turn.taskId}, ${turn.ordinal}, ${turn.orgId}, ${turn.userId}, ${turn.keyId}, ${turn.model},
            ${turn.prompt}, ${toJson(turn.attachments)}::text::json, ${turn.attachments.map(({ name }) => name)}::text[],
            ${attachmentBytes(turn.attachments)}, ${turn.allowSecrets}, ${turn.verifyCommand}, ${turn.mode},
            ${turn.compact}, ${turn.clientVersion}, ${turn.maxMinor}, 'queued', ${turn.firstChange}, ${turn.afterSeq}, ${tx.now})`
}

export const attachmentBytes = (attachments: readonly Attachment[]): number =>
  attachments.reduce((all, each) => all + Buffer.byteLength('data' in each ? each.data : each.content), 0)

/** Of all turns of a task, however they ended. */
export async function sumRequestBytes(tx: Tx, org: OrgId, task: TaskId) {
  return tx.content.one<{ promptBytes: number; attachmentBytes: number }>`
    select coalesce(sum(octet_length(prompt)), 0)::int as "promptBytes",
           coalesce(sum(attachment_bytes), 0)::int as "attachmentBytes"
    from task_turns where task_id = ${task} and org_id = ${org}`
}

/** The attachments with their contents, of the turns of a task from an ordinal on. */
export async function listAttachments(
  tx: Tx,
  org: OrgId,
  task: TaskId,
  from: number,
): Promise<Map<TurnId, readonly Attachment[]>> {
  const rows = await tx.content.rows<{ id: TurnId; attachments: readonly Attachment[] }>`
    select id, attachments from task_turns
    where task_id = ${task} and org_id = ${org} and ordinal >= ${from} and attachment_names <> '{}' order by ordinal`
  return new Map(rows.map(({ id, attachments }) => [id, attachments]))
}

/** Of one task, oldest first. */
/** In order, those after an ordinal. */
export function listTurns(tx: Tx, org: OrgId, task: TaskId, after = 0): Promise<TaskTurn[]> {
  return tx.content.rows<TaskTurn>`
    select id, task_id as "taskId", ordinal, org_id as "orgId", user_id as "userId", key_id as "keyId", model, prompt,
           attachment_names as "attachmentNames", allow_secrets as "allowSecrets", verify_command as "verifyCommand", mode, compact,
           client_version as "clientVersion", max_minor as "maxMinor",
           spent_minor as "spentMinor", used_micro_kobo as "usedMicroKobo", refunded_minor as "refundedMinor", status,
           stop_requested as "stopRequested", stop_reason as "stopReason", error_code as "errorCode",
           first_change as "firstChange", last_change as "lastChange", summary, verification, withheld, failures,
           after_seq as "afterSeq", created_at as "createdAt", started_at as "startedAt", finished_at as "finishedAt"
    from task_turns where task_id = ${task} and org_id = ${org} and ordinal > ${after} order by ordinal`
}

export function findTurn(tx: Tx, org: OrgId, id: string): Promise<TaskTurn | undefined> {
  return tx.content.maybe<TaskTurn>`
    select id, task_id as "taskId", ordinal, org_id as "orgId", user_id as "userId", key_id as "keyId", model, prompt,
           attachment_names as "attachmentNames", allow_secrets as "allowSecrets", verify_command as "verifyCommand", mode, compact,
           client_version as "clientVersion", max_minor as "maxMinor",
           spent_minor as "spentMinor", used_micro_kobo as "usedMicroKobo", refunded_minor as "refundedMinor", status,
           stop_requested as "stopRequested", stop_reason as "stopReason", error_code as "errorCode",
           first_change as "firstChange", last_change as "lastChange", summary, verification, withheld, failures,
           after_seq as "afterSeq", created_at as "createdAt", started_at as "startedAt", finished_at as "finishedAt"
    from task_turns where id = ${id} and org_id = ${org}`
}

/** The values that change while a turn runs. Prompts and attachments can be large and stay the same. */
export type TurnProgress = Pick<
  TaskTurn,
  | 'maxMinor'
  | 'spentMinor'
  | 'usedMicroKobo'
  | 'refundedMinor'
  | 'status'
  | 'stopRequested'
  | 'stopReason'
  | 'errorCode'
  | 'lastChange'
  | 'summary'
  | 'verification'
  | 'withheld'
  | 'failures'
  | 'startedAt'
  | 'finishedAt'
>

export function findProgress(tx: Tx, { id, orgId }: TurnKey): Promise<TurnProgress | undefined> {
  return tx.content.maybe<TurnProgress>`
    select max_minor as "maxMinor", spent_minor as "spentMinor", used_micro_kobo as "usedMicroKobo",
           refunded_minor as "refundedMinor", status, stop_requested as "stopRequested", stop_reason as "stopReason",
           error_code as "errorCode", last_change as "lastChange", summary, verification, withheld, failures,
           started_at as "startedAt", finished_at as "finishedAt"
    from task_turns where id = ${id} and org_id = ${orgId}`
}

export type LastTurn = {
  status: TurnStatus
  stopReason: TurnStop | null
  verified: boolean
  summary: string | null
}

/** The last turn of each task, with the start of its summary. */
export async function findLastTurns(
  tx: Tx,
  org: OrgId,
  tasks: readonly TaskId[],
): Promise<Map<TaskId, LastTurn>> {
  if (tasks.length === 0) return new Map()
  const rows = await tx.content.rows<LastTurn & { taskId: TaskId }>`
    select distinct on (task_id) task_id as "taskId", status, stop_reason as "stopReason",
           coalesce((verification->>'verified')::boolean, false) as verified, left(summary, 300) as summary
    from task_turns where task_id = any(${[...tasks]}::text[]) and org_id = ${org} order by task_id, ordinal desc`
  return new Map(rows.map(({ taskId, ...turn }) => [taskId, turn]))
}

export async function countOpenTurns(tx: Tx, org: OrgId): Promise<number> {
  const { open } = await tx.content.one<{ open: number }>`
    select count(*)::int as open from task_turns where org_id = ${org} and finished_at is null`
  return open
}

/** Locks the turn until the transaction ends, so that only one writer continues with it. */
export function lockTurn(tx: Tx, org: OrgId, id: string) {
  return tx.content.maybe<
    Pick<TaskTurn, 'status' | 'stopRequested' | 'spentMinor' | 'maxMinor' | 'usedMicroKobo'>
  >`
    select status, stop_requested as "stopRequested", spent_minor as "spentMinor", max_minor as "maxMinor",
           used_micro_kobo as "usedMicroKobo"
    from task_turns where id = ${id} and org_id = ${org} for update`
}

export async function setStatus(
  tx: Tx,
  { id, orgId }: TurnKey,
  status: 'queued' | 'running' | 'waiting',
): Promise<void> {
  await tx.content.rows`
    update task_turns set status = ${status}, started_at = coalesce(started_at, case when ${status} = 'queued' then null else ${tx.now}::timestamptz end)
    where id = ${id} and org_id = ${orgId} and finished_at is null`
}

export async function requestStop(tx: Tx, { id, orgId }: TurnKey): Promise<void> {
  await tx.content.rows`
    update task_turns set stop_requested = true where id = ${id} and org_id = ${orgId} and finished_at is null`
}

export async function saveSpending(
  tx: Tx,
  { id, orgId }: TurnKey,
  spent: Pick<TaskTurn, 'spentMinor' | 'usedMicroKobo'>,
): Promise<void> {
  await tx.content.rows`
    update task_turns set spent_minor = ${spent.spentMinor}, used_micro_kobo = ${spent.usedMicroKobo}, failures = 0
    where id = ${id} and org_id = ${orgId}`
}

export async function saveWithheld(
  tx: Tx,
  { id, orgId }: TurnKey,
  withheld: readonly Withheld[],
): Promise<void> {
  await tx.content.rows`
    update task_turns set withheld = ${toJson(withheld)}::text::json where id = ${id} and org_id = ${orgId}`
}

/** Returns the number of failures since the last success. */
export async function countFailure(tx: Tx, { id, orgId }: TurnKey): Promise<number> {
  const row = await tx.content.maybe<{ failures: number }>`
    update task_turns set failures = failures + 1 where id = ${id} and org_id = ${orgId} returning failures`
  return row?.failures ?? 0
}

export type TurnEnding = {
  readonly stopReason: TurnStop
  readonly errorCode: string | null
  readonly lastChange: number
  readonly summary: string | null
  readonly verification: TurnVerification | null
  readonly refundedMinor: bigint
}

/** False if it was already finished. */
export async function finishTurn(tx: Tx, { id, orgId }: TurnKey, ending: TurnEnding): Promise<boolean> {
  const row = await tx.content.maybe`
    update task_turns
    set status = 'finished', stop_reason = ${ending.stopReason}, error_code = ${ending.errorCode},
        last_change = ${ending.lastChange}, summary = ${ending.summary},
        verification = ${ending.verification && toJson(ending.verification)}::text::json,
        refunded_minor = ${ending.refundedMinor}, finished_at = ${tx.now}
    where id = ${id} and org_id = ${orgId} and finished_at is null returning id`
  return row !== undefined
}

/** Open turns of tasks that were not used since then: a caller did not answer, or a job died. */
export function listOpenSince(tx: Tx, before: Date, most: number): Promise<TurnKey[]> {
  return tx.content.rows<TurnKey>`
    select t.id, t.org_id as "orgId" from task_turns t join tasks k on k.id = t.task_id
    where t.finished_at is null and t.created_at < ${before} and k.updated_at < ${before}
    order by t.created_at limit ${most}`
}

export type ExportedTurn = Pick<
  TaskTurn,
  | 'id'
  | 'taskId'
  | 'ordinal'
  | 'userId'
  | 'prompt'
  | 'mode'
  | 'spentMinor'
  | 'stopReason'
  | 'summary'
  | 'createdAt'
> & { attachments: readonly Attachment[] }

export function listTurnsAfter(
  tx: Tx,
  org: OrgId,
  after: TimeCursor,
  limit: number,
  bytes: number,
): Promise<ExportedTurn[]> {
  return tx.content.rows<ExportedTurn>`
    select id, "taskId", ordinal, "userId", prompt, mode, attachments, "spentMinor", "stopReason", summary, "createdAt"
    from (select id, task_id as "taskId", ordinal, user_id as "userId", prompt, mode, attachments, spent_minor as "spentMinor",
                 stop_reason as "stopReason", summary, created_at as "createdAt",
                 sum(octet_length(prompt) + attachment_bytes)
                   over (order by created_at, id rows between unbounded preceding and 1 preceding) as bytes_before
          from (select id, task_id, ordinal, user_id, prompt, mode, attachments, attachment_bytes, spent_minor, stop_reason, summary, created_at
                from task_turns where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
                order by created_at, id limit ${limit}) as page) as sized
    where coalesce(bytes_before, 0) < ${bytes} order by "createdAt", id`
}
