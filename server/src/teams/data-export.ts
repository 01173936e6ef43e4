// The people of an organisation at its end: each of them is let go, and nobody is left without one to sign in to.

import {
  dropLinks,
  endSessionsIn,
  lockUser,
  moveSession,
  openPersonalOrg,
  revokeKeys,
} from '../identity/identity.ts'
import { assert } from '../kernel/assert.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import { belongsSomewhere, countMembers, deleteMembership, homeOrg, lockOrg } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { OrgClosure, TenantData } from '../platform/data-export.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import { type DepartingMember, listDeparting } from './data-export-sql.ts'

// They are let go one by one in a single transaction.
const MEMBERS_MAX = 1_000

export const teamsTenantData: TenantData<App> = {
  mayClose: (_app, tx, closing) => closeProblem(tx, closing),
  close: (_app, tx, closing) => removeAllMembers(tx, closing),
}

async function closeProblem(tx: Tx, { orgId }: OrgClosure): Promise<string | null> {
  const members = await countMembers(tx, orgId)
  return members > MEMBERS_MAX
    ? `${members} people are members; remove some until there are at most ${MEMBERS_MAX}.`
    : null
}

async function removeAllMembers(tx: Tx, { orgId, by }: OrgClosure): Promise<void> {
  const org = await lockOrg(tx, orgId)
  assert(org, 'who closes an organisation holds it')
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
  // What they were invited to is gone. Who wants an account registers.
  if (pending) await dropLinks(tx, userId, ['invitation'])
}

/** The one who closes it goes on in another of theirs, with the session they have. */
async function moveSessionHome(tx: Tx, { sessionId, userId }: Actor): Promise<void> {
  const home: OrgId | null = sessionId ? await homeOrg(tx, userId) : null
  if (sessionId && home) await moveSession(tx, sessionId, userId, home)
}
