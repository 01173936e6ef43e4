// Closing an organisation: removes all members. A user without another organisation gets a personal one.

import {
  dropLinks,
  endSessionsIn,
  lockUser,
  moveSession,
  openPersonalOrg,
  revokeKeys,
} from '../identity/identity.ts'
import { assert } from '../kernel/assert.ts'
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import { belongsSomewhere, countMembers, deleteMembership, homeOrg, lockOrg } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { OrgClosure, TenantData } from '../platform/data-export.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'

// Members are removed one by one in a single transaction.
const MEMBERS_MAX = 1_000

export const teamsTenantData: TenantData<App> = {
  mayClose: (_app, tx, closing) => closeProblem(tx, closing),
  close: (_app, tx, closing) => removeAllMembers(tx, closing),
}

async function closeProblem(tx: Tx, { orgId }: OrgClosure): Promise<string | null> {
  const members = await countMembers(tx, orgId)
  return members > MEMBERS_MAX
    ? `The organisation has ${members} members. Remove members until at most ${MEMBERS_MAX} are left.`
    : null
}

async function removeAllMembers(tx: Tx, { orgId, by }: OrgClosure): Promise<void> {
  const org = await lockOrg(tx, orgId)
  assert(org, 'the organisation is locked while it is closed')
  for (const member of await listDeparting(tx, orgId, MEMBERS_MAX)) {
    await lockUser(tx, member.userId)
    await deleteMembership(tx, orgId, member.userId)
    await ensureOrg(tx, member, org.currency)
    if (member.userId === by.userId) await moveSessionHome(tx, by)
    await endSessionsIn(tx, member.userId, orgId)
    await revokeKeys(tx, member.userId, orgId)
  }
}

async function ensureOrg(tx: Tx, { userId, email, name, pending }: DepartingMember, currency: Currency) {
  if (await belongsSomewhere(tx, userId)) return
  await openPersonalOrg(tx, userId, { email, name, currency })
  // Their invitation is no longer valid. They can register instead.
  if (pending) await dropLinks(tx, userId, ['invitation'])
}

/** Moves the session of the closing user to another of their organisations. */
async function moveSessionHome(tx: Tx, { sessionId, userId }: Actor): Promise<void> {
  const home: OrgId | null = sessionId ? await homeOrg(tx, userId) : null
  if (sessionId && home) await moveSession(tx, sessionId, userId, home)
}

type DepartingMember = { userId: UserId; email: string; name: string | null; pending: boolean }

/** Ordered by user id, the lock order for several users. */
function listDeparting(tx: Tx, org: OrgId, most: number) {
  return tx.rows<DepartingMember>`
    select m.user_id as "userId", u.email, u.name, u.verified_at is null as pending
    from org_members m join user_profiles u on u.id = m.user_id
    where m.org_id = ${org} order by m.user_id limit ${most}`
}
