// The subject of a report: one organisation or all. Only staff may read other organisations.
import { invalidFields } from '../kernel/errors.ts'
import { isId, type OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import { findOrg } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type Actor, noSuchOrg, staffRefusal } from '../platform/http/actor.ts'
import { withFleetSlot } from './fleet-queue.ts'

export type Subject =
  | { readonly scope: 'org'; readonly orgId: OrgId; readonly currency: Currency }
  /** Several currencies are converted to kobo. */
  | { readonly scope: 'all'; readonly orgId: null; readonly currency: 'NGN' }

export type SubjectQuery = { scope?: 'all' | undefined; orgId?: string | undefined }

const FLEET: Subject = { scope: 'all', orgId: null, currency: 'NGN' }

/** Other callers get the same error for existing and unknown organisations. */
export async function resolveSubject(
  app: App,
  actor: Actor,
  { scope, orgId }: SubjectQuery,
): Promise<Subject> {
  const isOwn = orgId === undefined || orgId === actor.orgId
  if (actor.staffRole === null && (scope === 'all' || !isOwn)) throw staffRefusal(actor)
  if (scope === 'all' && orgId !== undefined)
    throw invalidFields({ path: 'query.orgId', message: 'must not be combined with scope=all' })
  if (scope === 'all') return FLEET
  if (isOwn) return { scope: 'org', orgId: actor.orgId, currency: actor.org.currency }
  return { scope: 'org', ...(await findOtherOrg(app, orgId)) }
}

/** Reads in a read-only transaction with the scope of the subject. Fleet reports wait for a slot. */
export function readFigures<T>(app: App, orgId: OrgId | null, work: (tx: Tx) => Promise<T>): Promise<T> {
  const read = () =>
    app.db.tx(orgId ?? 'platform', async (tx) => {
      await prepareToRead(tx)
      if (orgId === null) await allowSlowSums(tx)
      return work(tx)
    })
  return orgId === null ? withFleetSlot(app, read) : read()
}

async function findOtherOrg(app: App, orgId: string): Promise<{ orgId: OrgId; currency: Currency }> {
  const org = isId('org', orgId) ? await findOrg(app.db.direct, orgId) : undefined
  if (!org) throw noSuchOrg()
  return { orgId: org.id, currency: org.currency }
}

/**
 * The same statements read one organisation or all. A shared plan would scan all rows for one organisation, so each
 * execution is planned separately. Both settings last until the end of the transaction.
 */
async function prepareToRead(tx: Tx): Promise<void> {
  await tx.rows`
    select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('transaction_read_only', 'on', true)`
}

/** On a busy day, slow figures are better for staff than a timeout. */
async function allowSlowSums(tx: Tx): Promise<void> {
  await tx.rows`select set_config('statement_timeout', '20s', true)`
}
