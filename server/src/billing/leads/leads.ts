// Contact requests. The endpoint is public, so every dimension has a limit.
import { before } from '../../kernel/clock.ts'
import { normaliseEmail } from '../../kernel/email.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type Id, newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../../platform/attempts/attempts.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { decodeCursor, decodeTimeCursor, toPage } from '../../platform/http/page.ts'
import { type JobKind, job, type Schedule } from '../../platform/jobs/jobs.ts'
import { type MailContent, plainMail, withoutAutoLinks } from '../../platform/mail/mail.ts'

const HOUR_SECONDS = 3_600
const BY_ADDRESS: AttemptLimit = { name: 'lead.address', most: 5, withinSeconds: HOUR_SECONDS }
const BY_EMAIL: AttemptLimit = { name: 'lead.email', most: 3, withinSeconds: HOUR_SECONDS }
const NOTIFICATIONS: AttemptLimit = { name: 'lead.all', most: 200, withinSeconds: HOUR_SECONDS }
const KEPT_DAYS = 2 * 365
const BATCH = 1_000
const ROUNDS_MAX = 20

export type LeadInput = Pick<Lead, 'name' | 'email' | 'message' | 'interest'> & {
  company?: string | undefined
  /** A honeypot: the field is hidden, so only programs fill it in. */
  website?: string | undefined
}

/** Stores a lead and notifies us by mail. A program gets the same reply, but its lead is not stored. */
export async function recordLead(app: App, input: LeadInput, address: string) {
  const id = newId('lead', app.clock.now().getTime())
  if (input.website) return { ok: true as const, id }
  const email = normaliseEmail(input.email)
  const lead = { ...input, id, email, company: input.company || null }
  await app.db.tx('platform', async (tx) => {
    await requireBelowLimit(app, tx, BY_ADDRESS, address)
    await requireBelowLimit(app, tx, BY_EMAIL, email)
    await insertLead(tx, { ...lead, address })
    const { leadsEmail } = app.config
    // Above this limit a lead is stored without a mail, so that a flood of requests does not hide real ones.
    const { allowed: isNotified } = await countAttempt(app, tx, NOTIFICATIONS, 'all')
    if (leadsEmail !== null && isNotified) await app.mail.send(tx, { to: leadsEmail, ...leadMail(lead) })
    else tx.afterCommit(() => app.log.info({ lead: id }, 'billing.lead.notification_skipped'))
  })
  return { ok: true as const, id }
}

export async function listLeads(app: App, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
  const before = decodeCursor(cursor, 2) && decodeTimeCursor(cursor)
  const rows = await app.db.tx('platform', (tx) => leadsBefore(tx, before, limit + 1))
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.createdAt, row.id])
  return { leads: items, nextCursor }
}

export const leadJobs: readonly JobKind[] = [
  job('billing.forgetLeads', {
    attempts: 1,
    async run(app) {
      const old = before(app.clock.now(), { days: KEPT_DAYS })
      // The next run continues after the limit.
      for (let round = 0; round < ROUNDS_MAX; round++)
        if ((await app.db.tx('platform', (tx) => deleteLeads(tx, old, BATCH))) < BATCH) return
    },
  }),
]

export const leadSchedules: readonly Schedule[] = [
  { name: 'billing.forgetLeads', job: 'billing.forgetLeads', everySeconds: 86_400 },
]

async function requireBelowLimit(app: App, tx: Tx, limit: AttemptLimit, subject: string): Promise<void> {
  const { allowed, retryAfter } = await countAttempt(app, tx, limit, subject)
  if (!allowed) throw new ApiError('too_many_attempts', { retryAfter })
}

/** The text of a stranger, sent to us: it must not become a link or part of the subject. */
function leadMail({ id, name, email, company, interest, message }: Omit<Lead, 'createdAt'>): MailContent {
  return plainMail(`Contact request about ${interest === 'general' ? 'Cowrie' : interest}`, [
    `${withoutAutoLinks(name)}${company ? ` of ${withoutAutoLinks(company)}` : ''} wrote to us. Reply to ${email}.`,
    ...withoutAutoLinks(message).split(/\n{2,}/),
    `It is stored as ${id}.`,
  ])
}

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

/** Newest first, before the cursor if there is one. */
export function leadsBefore(tx: Tx, before: { at: Date; id: string } | null, limit: number): Promise<Lead[]> {
  return tx.rows<Lead>`
    select id, name, email, company, interest, message, created_at as "createdAt"
    from leads
    where ${before === null} or (created_at, id) < (${before?.at ?? tx.now}, ${before?.id ?? ''})
    order by created_at desc, id desc limit ${limit}`
}

export async function deleteLeads(tx: Tx, createdBefore: Date, limit: number): Promise<number> {
  const rows = await tx.rows`
    delete from leads where id in (
      select id from leads where created_at < ${createdBefore} order by created_at limit ${limit})
    returning id`
  return rows.length
}
