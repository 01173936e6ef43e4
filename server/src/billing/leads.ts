// People who want us to write to them. Anybody may ask, so it is bounded in every direction.

import { before } from '../kernel/clock.ts'
import { normaliseEmail } from '../kernel/email.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import { type AttemptLimit, tryOnce } from '../platform/attempts/attempts.ts'
import type { Tx } from '../platform/db/tx.ts'
import { decodeCursor, decodeTimeCursor, toPage } from '../platform/http/page.ts'
import { type JobKind, job, type Schedule } from '../platform/jobs/jobs.ts'
import { type Content, plain, unlinked } from '../platform/mail/mail.ts'
import * as sql from './leads-sql.ts'

const HOUR_SECONDS = 3_600
const BY_ADDRESS: AttemptLimit = { name: 'lead.address', most: 5, withinSeconds: HOUR_SECONDS }
const BY_EMAIL: AttemptLimit = { name: 'lead.email', most: 3, withinSeconds: HOUR_SECONDS }
const IN_ALL: AttemptLimit = { name: 'lead.all', most: 200, withinSeconds: HOUR_SECONDS }
const KEPT_DAYS = 2 * 365
const AT_ONCE = 1_000
const ROUNDS_MAX = 20

export type LeadWanted = Pick<sql.Lead, 'name' | 'email' | 'message' | 'interest'> & {
  company?: string | undefined
  /** No person sees this field; what fills it in is a program. */
  website?: string | undefined
}

/** Keeps a lead and tells us by mail. Who is a program hears the same and leaves nothing behind. */
export async function recordLead(app: App, wanted: LeadWanted, address: string) {
  const id = newId('lead', app.clock.now().getTime())
  if (wanted.website) return { ok: true as const, id }
  const email = normaliseEmail(wanted.email)
  const lead = { ...wanted, id, email, company: wanted.company || null }
  await app.db.tx('platform', async (tx) => {
    await countIn(app, tx, BY_ADDRESS, address)
    await countIn(app, tx, BY_EMAIL, email)
    await sql.insertLead(tx, { ...lead, address })
    const { leadsEmail } = app.config
    // Beyond the bound they are read in the list: a flood from everywhere keeps nobody from being heard.
    const { allowed: isTold } = await tryOnce(app, tx, IN_ALL, 'all')
    if (leadsEmail !== null && isTold) await app.mail.send(tx, { to: leadsEmail, ...leadMail(lead) })
    else tx.afterCommit(() => app.log.info({ lead: id }, 'billing.lead.notification_skipped'))
  })
  return { ok: true as const, id }
}

export async function listLeads(app: App, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
  const place = decodeCursor(cursor, 2) && decodeTimeCursor(cursor)
  const rows = await app.db.tx('platform', (tx) => sql.listLeads(tx, place, limit + 1))
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.createdAt, row.id])
  return { leads: items, nextCursor }
}

export const leadJobs: readonly JobKind[] = [
  job('billing.forgetLeads', {
    attempts: 1,
    async run(app) {
      const old = before(app.clock.now(), { days: KEPT_DAYS })
      // What is left at the bound waits for the next run.
      for (let round = 0; round < ROUNDS_MAX; round++)
        if ((await app.db.tx('platform', (tx) => sql.deleteLeads(tx, old, AT_ONCE))) < AT_ONCE) return
    },
  }),
]

export const leadSchedules: readonly Schedule[] = [
  { name: 'billing.forgetLeads', job: 'billing.forgetLeads', everySeconds: 86_400 },
]

async function countIn(app: App, tx: Tx, limit: AttemptLimit, subject: string): Promise<void> {
  const { allowed, retryAfter } = await tryOnce(app, tx, limit, subject)
  if (!allowed) throw new ApiError('too_many_attempts', { retryAfter })
}

/** A stranger's words, to ourselves: nothing of theirs becomes a link or part of the subject. */
function leadMail({ id, name, email, company, interest, message }: Omit<sql.Lead, 'createdAt'>): Content {
  return plain(`Somebody asks about ${interest === 'general' ? 'Cowrie' : interest}`, [
    `${unlinked(name)}${company ? ` of ${unlinked(company)}` : ''} wrote to us. Answer to ${email}.`,
    ...unlinked(message).split(/\n{2,}/),
    `It is kept as ${id}.`,
  ])
}
