// What a figure is about: an organisation, or all of them. Only staff see beyond their own.
import { ApiError, invalidFields } from '../kernel/errors.ts'
import { isId, type OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import { findOrg } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import { withFleetSlot } from './fleet-queue.ts'
import { allowSlowSums, prepareToRead } from './sql.ts'

export type Subject =
  | { readonly scope: 'org'; readonly orgId: OrgId; readonly currency: Currency }
  /** Money of several currencies is told in kobo. */
  | { readonly scope: 'all'; readonly orgId: null; readonly currency: 'NGN' }

export type SubjectQuery = { scope?: 'all' | undefined; orgId?: string | undefined }

const FLEET: Subject = { scope: 'all', orgId: null, currency: 'NGN' }

/** Whoever is not staff hears the same of organisations that exist and of those that do not. */
export async function resolveSubject(
  app: App,
  actor: Actor,
  { scope, orgId }: SubjectQuery,
): Promise<Subject> {
  const isOwn = orgId === undefined || orgId === actor.orgId
  if (actor.staffRole === null && (scope === 'all' || !isOwn)) throw new ApiError('staff_only')
  if (scope === 'all' && orgId !== undefined)
    throw invalidFields({ path: 'query.orgId', message: 'must not stand beside scope=all' })
  if (scope === 'all') return FLEET
  if (isOwn) return { scope: 'org', orgId: actor.orgId, currency: actor.org.currency }
  return { scope: 'org', ...(await findOtherOrg(app, orgId)) }
}

/** Reads within what the subject may see, and writes nothing. Readings of the fleet wait for their turn. */
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
  if (!org) throw new ApiError('not_found', { error: 'There is no organisation with this id.' })
  return { orgId: org.id, currency: org.currency }
}
