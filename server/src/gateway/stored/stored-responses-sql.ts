// SQL for stored responses. Only their owner reads them: one user in one organisation.
import type { Id, OrgId, UserId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'

export type ResponseId = Id<'resp'>
export type ResponseOwner = { readonly orgId: OrgId; readonly userId: UserId }

export type NewResponse = {
  readonly id: string
  readonly previousId: string | null
  /** JSON texts. */
  readonly input: string
  readonly response: string
}
/** Of one organisation since an instant. */
export type StorageLimits = { readonly since: Date; readonly responsesMax: number; readonly bytesMax: number }

/** False when the organisation has reached its limits. */
export async function insertResponse(
  tx: Tx,
  { orgId, userId }: ResponseOwner,
  { id, previousId, input, response }: NewResponse,
  { since, responsesMax, bytesMax }: StorageLimits,
): Promise<boolean> {
  const bytes = Buffer.byteLength(input) + Buffer.byteLength(response)
  const stored = await tx.content.maybe<{ id: string }>`
    insert into stored_responses (id, org_id, user_id, previous_id, input, response, size_bytes, created_at)
    select ${id}, ${orgId}, ${userId}, ${previousId}, ${input}::text::json, ${response}::text::json, ${bytes}::int,
           ${tx.now}::timestamptz
    from (select count(*) as responses, coalesce(sum(size_bytes), 0) as bytes
          from stored_responses where org_id = ${orgId} and created_at > ${since}) as used
    where used.responses < ${responsesMax} and used.bytes + ${bytes}::int <= ${bytesMax}
    returning id`
  return stored !== undefined
}

export type StoredResponse = { readonly input: string; readonly response: string }

export function findResponse(tx: Tx, { orgId, userId }: ResponseOwner, id: ResponseId, notBefore: Date) {
  return tx.content.maybe<StoredResponse>`
    select input::text as input, response::text as response from stored_responses
    where id = ${id} and org_id = ${orgId} and user_id = ${userId} and created_at >= ${notBefore}`
}

export async function deleteResponse(tx: Tx, { orgId, userId }: ResponseOwner, id: string): Promise<boolean> {
  const deleted = await tx.content.maybe<{ id: string }>`
    delete from stored_responses where id = ${id} and org_id = ${orgId} and user_id = ${userId} returning id`
  return deleted !== undefined
}

export async function deleteExpired(tx: Tx, createdBefore: Date, most: number): Promise<number> {
  const rows = await tx.content.rows`
    delete from stored_responses
    where id in (select id from stored_responses where created_at < ${createdBefore} order by created_at limit ${most})
    returning id`
  return rows.length
}

export type ExportedResponse = { id: string; createdAt: Date }

/** At most `limit` rows, and none after the total reaches `bytes`. */
export function responsesAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number, bytes: number) {
  return tx.content.rows<ExportedResponse>`
    select id, user_id as "userId", previous_id as "previousResponseId", input, response, created_at as "createdAt"
    from (select id, user_id, previous_id, input, response, created_at,
                 sum(size_bytes) over (order by created_at, id) - size_bytes as earlier_bytes
          from (select id, user_id, previous_id, input, response, created_at, size_bytes
                from stored_responses where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
                order by created_at, id limit ${limit}) as following) as sized
    where earlier_bytes < ${bytes} order by created_at, id`
}
