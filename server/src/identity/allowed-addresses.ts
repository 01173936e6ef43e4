// The IP allow list of an organisation. It comes with the caller of each request, so that a change counts at once on every
// replica and an organisation without a list costs nothing.
import { record } from '../audit/audit.ts'
import { before } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import { type IpEntry, markAddressRefused } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import { inRanges, parseRanges, type Ranges } from '../platform/http/access/client-address.ts'
import type { Actor } from '../platform/http/actor.ts'

const REFUSALS_RECORDED_EVERY = { hours: 1 }

/** No list allows every address. */
export const isInAllowList = (address: string, list: readonly IpEntry[] | null): boolean =>
  list === null ||
  isInAny(
    address,
    list.map(({ cidr }) => cidr),
  )

export const isInAny = (address: string, cidrs: readonly string[]): boolean =>
  inRanges(address, rangesOf(cidrs.join(',')))

/** The audit log of the organisation gets one event per hour. */
export async function refuseAddress(app: App, actor: Actor, org: OrgId): Promise<ApiError> {
  app.metrics.addressRefused('organisation')
  await recordRefusal(app, actor, org).catch((error) =>
    app.log.warn({ err: error, orgId: org }, 'identity.address_refusal.record_failed'),
  )
  return new ApiError('org_address_not_allowed', {
    error: `This organisation cannot be used from ${actor.address}. Use an allowed network, or ask an administrator to add your address.`,
  })
}

async function recordRefusal(app: App, actor: Actor, orgId: OrgId): Promise<void> {
  const since = before(app.clock.now(), REFUSALS_RECORDED_EVERY)
  await app.db.tx(orgId, async (tx) => {
    if (!(await markAddressRefused(tx, orgId, since))) return
    await record(tx, { orgId, actor, ip: actor.address, action: 'orgs.address_refused', target: orgId })
  })
}

// Parsing a list takes longer than the rest of authentication.
const parsed = new Map<string, Ranges>()
const PARSED_MAX = 1_000

function rangesOf(list: string): Ranges {
  const known = parsed.get(list)
  if (known) return known
  if (parsed.size >= PARSED_MAX) parsed.clear()
  const ranges = parseRanges(list)
  parsed.set(list, ranges)
  return ranges
}
