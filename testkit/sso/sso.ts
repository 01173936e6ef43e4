// An organisation with verified domains and a connection.

import { type Duration, ManualClock, toMs } from '@cowrie/server/src/kernel/clock.ts'
import type { OrgId } from '@cowrie/server/src/kernel/ids.ts'
import type { Person, TestServer } from '../harness/harness.ts'

/** A system clock with an offset: tokens of the provider carry the real time. */
export class MachineClock extends ManualClock {
  #offsetMs = 0

  override now(): Date {
    return new Date(Date.now() + this.#offsetMs)
  }

  override advance(by: Duration): void {
    this.#offsetMs += toMs(by)
  }
}

export type SsoOrg = { orgId: OrgId; owner: Person; operator: Person }

export type SsoOrgOptions = {
  connection: object
  domains?: readonly string[]
  seats?: number
  required?: boolean
  groupRoleMap?: Record<string, string>
}

export async function openSsoOrg(
  server: TestServer,
  { connection, domains = [], seats = 100, required = false, groupRoleMap }: SsoOrgOptions,
): Promise<SsoOrg> {
  const owner = await server.person({ type: 'team' })
  const operator = await server.person({ staff: 'operator' })
  const { orgId } = owner
  await server.sql.rows`
    update orgs set seat_allotment = ${seats}, sso_required = ${required},
      group_role_map = ${groupRoleMap ? JSON.stringify(groupRoleMap) : null}::text::jsonb
    where id = ${orgId}`
  for (const domain of domains) await verifyDomain(server, orgId, domain)
  const reply = await server.call('POST', `/orgs/${orgId}/sso`, { as: operator, body: connection })
  if (reply.status !== 201) throw new Error(`no connection: ${reply.text}`)
  return { orgId, owner, operator }
}

/** Verifies a domain without DNS. */
export async function verifyDomain(server: TestServer, orgId: OrgId, domain: string): Promise<void> {
  await server.sql.rows`
    insert into sso_domains (org_id, domain, token, created_at, verified_at)
    values (${orgId}, ${domain}, 'x', ${server.clock.now()}, ${server.clock.now()})`
}

export async function roleOf(server: TestServer, orgId: OrgId, email: string): Promise<string | undefined> {
  const row = await server.sql.maybe<{ role: string }>`
    select m.role from memberships m join users u on u.id = m.user_id
    where m.org_id = ${orgId} and u.email = ${email}`
  return row?.role
}

export async function actionsIn(server: TestServer, orgId: OrgId): Promise<string[]> {
  const rows = await server.sql.rows<{ action: string }>`
    select action from audit_entries where org_id = ${orgId} order by seq`
  return rows.map(({ action }) => action)
}
