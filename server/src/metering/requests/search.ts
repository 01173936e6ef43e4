// The rows of the request log that a caller may read, and the filters of a search.
import { before } from '../../kernel/clock.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import { isId, type OrgId, timeOfId, type UserId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import { findOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Actor, hasRole, noSuchOrg, requestedOrg, staffRefusal } from '../../platform/http/actor.ts'
import { decodeCursor, decodeTimeCursor, type TimeCursor } from '../../platform/http/page.ts'
import { requestLogSettings } from './settings.ts'

export type RequestSearch = {
  scope?: 'all' | undefined
  orgId?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  keyId?: string | undefined
  userId?: string | undefined
  model?: string | undefined
  provider?: string | undefined
  route?: string | undefined
  /** `success`, `failed` or an HTTP status. */
  status?: 'success' | 'failed' | number | undefined
  code?: string | undefined
  minCostMinor?: bigint | undefined
  requestId?: string | undefined
}

/** `orgId` is null for all organisations; amounts are then converted to kobo. */
export type Subject = { readonly orgId: OrgId | null; readonly currency: Currency }

export type RequestFilter = {
  readonly orgId: OrgId | null
  readonly from: Date
  /** Exclusive. */
  readonly until: Date
  readonly userId: string | null
  readonly keyId: string | null
  readonly model: string | null
  readonly provider: string | null
  readonly route: string | null
  readonly statusFrom: number
  readonly statusTo: number
  readonly code: string | null
  readonly minCostMinor: bigint
  readonly requestId: string | null
}

const ALL: Subject = { orgId: null, currency: 'NGN' }
const { usage_log_days } = requestLogSettings.settings
const END = new Date('9999-01-01T00:00:00.000Z')
const NEWEST: TimeCursor = { at: END, id: '' }
const ANY_STATUS = [100, 599] as const
const STATUS_RANGE = { success: [100, 399], failed: [400, 599] } as const

/** Staff may name another organisation or all of them. Other callers get the same error whether or not it exists. */
export async function resolveSubject(
  app: App,
  actor: Actor,
  { scope, orgId }: RequestSearch,
): Promise<Subject> {
  if (scope === 'all' && actor.staffRole === null) throw staffRefusal(actor)
  if (scope === 'all' && orgId !== undefined)
    throw invalidFields({ path: 'query.orgId', message: 'must not be combined with scope=all' })
  if (scope === 'all') return ALL
  const org = requestedOrg(actor, orgId)
  if (org === actor.orgId) return { orgId: org, currency: actor.org.currency }
  const found = await findOrg(app.db.direct, org)
  if (!found) throw noSuchOrg()
  return { orgId: found.id, currency: found.currency }
}

/** Members read only their own rows. Rows past their retention that are still stored are not shown. */
export function filterOf(app: App, actor: Actor, { orgId }: Subject, search: RequestSearch): RequestFilter {
  const [statusFrom, statusTo] = statusRange(search.status)
  const keptSince = before(app.clock.now(), { days: app.settings.get(usage_log_days) })
  return {
    orgId,
    from: search.from && search.from > keptSince ? search.from : keptSince,
    until: search.to ?? END,
    userId: visibleUser(actor, orgId, search.userId),
    keyId: search.keyId ?? null,
    model: search.model ?? null,
    provider: search.provider ?? null,
    route: search.route ?? null,
    statusFrom,
    statusTo,
    code: search.code ?? null,
    minCostMinor: search.minCostMinor ?? 0n,
    requestId: search.requestId ?? null,
  }
}

function visibleUser(actor: Actor, orgId: OrgId | null, asked: string | undefined): UserId | string | null {
  if (orgId !== actor.orgId || hasRole(actor.role, 'admin')) return asked ?? null
  if (asked !== undefined && asked !== actor.userId) throw new ApiError('forbidden')
  return actor.userId
}

function statusRange(status: RequestSearch['status']): readonly [from: number, to: number] {
  if (status === undefined) return ANY_STATUS
  return typeof status === 'number' ? [status, status] : STATUS_RANGE[status]
}

/** The last row of the previous page, newest first. */
export const cursorOf = (cursor: string | undefined): TimeCursor =>
  decodeCursor(cursor, 2) === null ? NEWEST : decodeTimeCursor(cursor)

/** The place of a row in the list, from its id alone: the row itself may be deleted already. */
export function placeOfRow(id: string): TimeCursor {
  if (!isId('rql', id)) throw invalidFields({ path: 'query.after', message: 'must be the id of a row' })
  return { at: timeOfId(id), id }
}

/** Reads in a read-only transaction. One plan cannot serve all combinations of filters, so each execution is planned. */
export function readRows<T>(app: App, { orgId }: Subject, work: (tx: Tx) => Promise<T>): Promise<T> {
  return app.db.tx(orgId ?? 'platform', async (tx) => {
    await tx.rows`
      select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('transaction_read_only', 'on', true)`
    return work(tx)
  })
}
