// The IP allow list of an organisation: owners and admins edit it, staff remove it after a lock-out.
import { record } from '../../audit/audit.ts'
import { isInAllowList, requireRecentSignIn } from '../../identity/identity.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { findIpAllowList, type IpEntry, lockOrg, setIpAllowList } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { canonicalRange } from '../../platform/http/access/client-address.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { requireOutsider } from '../../teams/teams.ts'

export const ENTRIES_MAX = 100

type Change = {
  entries: readonly { cidr: string; label?: string | null | undefined }[]
  allowLockOut?: boolean | undefined
}
type Request = Pick<RequestInfo, 'address'>

const toReply = (list: IpEntry[] | null, { address }: Request) => ({
  entries: list ?? [],
  yourAddress: address,
})

export const showIpAllowList = (app: App, org: OrgId, request: Request) =>
  app.db.tx(org, async (tx) => toReply(await findIpAllowList(tx, org), request))

export async function changeIpAllowList(
  app: App,
  actor: Actor,
  org: OrgId,
  { entries, allowLockOut = false }: Change,
  request: Request,
) {
  requireRecentSignIn(app, actor)
  const list = entries.length === 0 ? null : canonicalEntries(entries)
  if (!allowLockOut && !isInAllowList(request.address, list)) throw new ApiError('would_lock_you_out')
  await app.db.tx('platform', async (tx) => {
    const before = await lockList(tx, org)
    await setIpAllowList(tx, org, list)
    await record(tx, {
      orgId: org,
      actor,
      ip: request.address,
      action: 'orgs.ipAllowList.set',
      target: org,
      metadata: { before: cidrsOf(before), after: cidrsOf(list) },
    })
  })
  return toReply(list, request)
}

/** Removes the list for an organisation without an allowed address at hand. */
export async function clearIpAllowList(app: App, actor: Actor, org: OrgId, request: Request) {
  await app.db.tx('platform', async (tx) => {
    const before = await lockList(tx, org)
    await requireOutsider(tx, actor, org)
    if (before === null) return
    await setIpAllowList(tx, org, null)
    await record(tx, {
      orgId: org,
      actor,
      as: 'operator',
      ip: request.address,
      action: 'admin.orgs.clearIpAllowList',
      target: org,
      metadata: { before: cidrsOf(before) },
    })
  })
  return toReply(null, request)
}

async function lockList(tx: Tx, org: OrgId): Promise<IpEntry[] | null> {
  const locked = await lockOrg(tx, org)
  if (!locked || locked.closed) throw new ApiError('not_found')
  return findIpAllowList(tx, org)
}

const cidrsOf = (list: IpEntry[] | null): string[] => (list ?? []).map(({ cidr }) => cidr)

function canonicalEntries(entries: Change['entries']): IpEntry[] {
  const seen = new Set<string>()
  return entries.map(({ cidr: given, label = null }, i) => {
    const path = `entries.${i}.cidr`
    const cidr = canonicalOrThrow(given, path)
    if (seen.has(cidr)) throw invalidFields({ path, message: 'must not be listed twice' })
    seen.add(cidr)
    return { cidr, label }
  })
}

function canonicalOrThrow(given: string, path: string): string {
  try {
    return canonicalRange(given)
  } catch (error) {
    const message = error instanceof Error && error.message.startsWith('must ') ? error.message : NOT_A_RANGE
    throw invalidFields({ path, message })
  }
}

const NOT_A_RANGE = 'must be an IP address or a CIDR'
