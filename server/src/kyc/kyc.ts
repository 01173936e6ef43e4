// Verification of businesses: an organisation submits details and staff decide. The details are confidential,
// so the audit log records the event without them.
import { record } from '../audit/audit.ts'
import { assert } from '../kernel/assert.ts'
import { normaliseEmail } from '../kernel/email.ts'
import { ApiError } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import { type KycStatus, lockOrg, setKycStatus } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../platform/attempts/attempts.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import { decodeTimeCursor, toPage } from '../platform/http/page.ts'
import { requireOutsider } from '../teams/teams.ts'
import { decisionMail, receivedMail } from './mails.ts'
import * as sql from './sql.ts'

const SUBMISSIONS: AttemptLimit = { name: 'kyc.submit', most: 20, withinSeconds: 86_400 }
const OWNERS_NOTIFIED_MAX = 20

type KycInput = { businessName: string } & {
  [Field in 'registrationNumber' | 'contactEmail' | 'documentRef']?: string | undefined
}

/** Submits an organisation's details for review. It can submit again until it is verified. */
export function submit(app: App, actor: Actor, input: KycInput, ip: string) {
  const { orgId } = actor
  return app.db.tx(orgId, async (tx) => {
    const org = await lockOrg(tx, orgId)
    assert(org && !org.closed, 'the organisation of a caller is open')
    if (org.kycStatus === 'verified') throw new ApiError('kyc_verified')
    const { allowed, retryAfter } = await countAttempt(app, tx, SUBMISSIONS, orgId)
    if (!allowed) throw new ApiError('too_many_attempts', { retryAfter })
    await sql.submit(tx, orgId, actor.userId, {
      businessName: input.businessName,
      registrationNumber: input.registrationNumber ?? '',
      contactEmail: input.contactEmail === undefined ? '' : normaliseEmail(input.contactEmail),
      documentRef: input.documentRef ?? '',
    })
    await setKycStatus(tx, orgId, 'pending')
    await app.mail.send(tx, { to: actor.email, ...receivedMail(app, org.name) })
    const metadata = { from: org.kycStatus, to: 'pending' }
    await record(tx, { orgId, actor, ip, action: 'kyc.submit', target: orgId, metadata })
    return { ok: true as const, status: 'pending' as const }
  })
}

export async function getOwnKyc(app: App, { orgId, org }: Actor) {
  const found = await app.db.tx(orgId, (tx) => sql.findRecord(tx, orgId))
  return { status: found?.status ?? (org.kycStatus as KycStatus), record: found ?? null }
}

type KycFilter = {
  status: 'pending' | 'verified' | 'rejected' | 'all'
  limit: number
  cursor?: string | undefined
}

export async function listRecords(app: App, { status, limit, cursor }: KycFilter) {
  const statusFilter = status === 'all' ? null : status
  const cursorPosition = decodeTimeCursor(cursor)
  const rows = await app.db.tx('platform', (tx) =>
    sql.listRecords(tx, statusFilter, cursorPosition, limit + 1),
  )
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.submittedAt, row.orgId])
  return { records: items, nextCursor }
}

type KycDecision = {
  status: 'verified' | 'rejected'
  notes?: string | undefined
  submittedAt?: Date | undefined
}

/** Decides a pending submission. The decision applies from the organisation's next request. */
export function review(app: App, actor: Actor, orgId: OrgId, decision: KycDecision, ip: string) {
  const { status, notes = '' } = decision
  return app.db.tx('platform', async (tx) => {
    const before = await lockPending(tx, actor, orgId, decision.submittedAt)
    await sql.review(tx, orgId, actor.userId, { status, notes })
    await setKycStatus(tx, orgId, status)
    const reviewed = { ...before, status, reviewerNotes: notes, reviewedAt: tx.now }
    const recipients = new Set([
      before.contactEmail,
      ...(await sql.listOwnerEmails(tx, orgId, OWNERS_NOTIFIED_MAX)),
    ])
    for (const to of recipients)
      if (to !== '') await app.mail.send(tx, { to, ...decisionMail(app, reviewed) })
    await record(tx, {
      orgId,
      actor,
      as: 'operator',
      ip,
      action: 'admin.kyc.review',
      target: orgId,
      metadata: { from: 'pending', to: status },
    })
    return { ok: true as const, record: reviewed }
  })
}

/** Locks the pending submission until the transaction ends: of two reviewers, one decides. */
async function lockPending(
  tx: Tx,
  actor: Actor,
  orgId: OrgId,
  readAt: Date | undefined,
): Promise<sql.KycRecord> {
  const org = await lockOrg(tx, orgId)
  if (!org || org.closed) throw new ApiError('not_found')
  await requireOutsider(tx, actor, orgId)
  const found = await sql.findRecord(tx, orgId)
  if (found?.status !== 'pending') throw new ApiError('kyc_not_pending')
  if (readAt && readAt.getTime() !== found.submittedAt.getTime())
    throw new ApiError('kyc_not_pending', {
      error:
        'The organisation submitted new details after you opened these. Read them again before you decide.',
    })
  return found
}
