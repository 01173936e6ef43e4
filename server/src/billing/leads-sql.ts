// Every statement about people who asked us to write to them.
import type { Id } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export type LeadId = Id<'lead'>
export const INTERESTS = ['teams', 'enterprise', 'general'] as const

export type Lead = {
  id: LeadId
  name: string
  email: string
  company: string | null
  interest: (typeof INTERESTS)[number]
  message: string
  createdAt: Date
}

export async function insertLead(
  tx: Tx,
  { id, name, email, company, interest, message, address }: Omit<Lead, 'createdAt'> & { address: string },
): Promise<void> {
  await tx.rows`
    insert into leads (id, name, email, company, interest, message, address, created_at)
    values (${id}, ${name}, ${email}, ${company}, ${interest}, ${message}, ${address}, ${tx.now})`
}

/** The newest first. Before `place` where there is one. */
export function listLeads(tx: Tx, before: { at: Date; id: string } | null, limit: number): Promise<Lead[]> {
  return tx.rows<Lead>`
    select id, name, email, company, interest, message, created_at as "createdAt"
    from leads
    where ${before === null} or (created_at, id) < (${before?.at ?? tx.now}, ${before?.id ?? ''})
    order by created_at desc, id desc limit ${limit}`
}

export async function deleteLeads(tx: Tx, createdBefore: Date, most: number): Promise<number> {
  const rows = await tx.rows`
    delete from leads where id in (
      select id from leads where created_at < ${createdBefore} order by created_at limit ${most})
    returning id`
  return rows.length
}
