// A team with three members, and the team calls of tests.

import type { OrgId } from '@cowrie/server/src/kernel/ids.ts'
import type { Person, Reply, TestServer } from '../harness/harness.ts'

export type Member = {
  userId: string
  email: string
  name: string | null
  role: string
  seatCapMinor: bigint | null
  pending: boolean
  joinedAt: string
}
export type MemberReply = {
  ok: boolean
  member: Member
  mailed?: boolean
  code?: string
  error?: string
  fields?: object[]
}

export type Team = {
  orgId: OrgId
  owner: Person
  admin: Person
  member: Person
}

/** A team of three. Each also has a personal organisation, which is the active one. */
export async function openTeam(server: TestServer, { seats = 100, currency = 'NGN' } = {}): Promise<Team> {
  const [owner, admin, member] = [await server.person(), await server.person(), await server.person()]
  const opened = await server.call<{ orgId: OrgId }>('POST', '/teams', {
    as: owner,
    body: { name: 'Lagos Labs', currency },
  })
  const { orgId } = opened.body
  await server.sql.rows`update orgs set seat_allotment = ${seats} where id = ${orgId}`
  await join(server, orgId, admin, 'admin')
  await join(server, orgId, member, 'member')
  return { orgId, owner, admin, member }
}

export async function join(server: TestServer, orgId: OrgId, person: Person, role: string): Promise<void> {
  server.clock.advance({ ms: 1 })
  await server.sql.rows`
    insert into memberships (org_id, user_id, role, created_at) values (${orgId}, ${person.userId}, ${role}, ${server.clock.now()})`
}

export const add = (
  server: TestServer,
  as: Person,
  orgId: string,
  body: unknown,
): Promise<Reply<MemberReply>> => server.call('POST', `/teams/${orgId}/members`, { as, body })

export const edit = (server: TestServer, as: Person, orgId: string, userId: string, body: unknown) =>
  server.call<MemberReply>('PATCH', `/teams/${orgId}/members/${userId}`, { as, body })

export const remove = (server: TestServer, as: Person, orgId: string, userId: string) =>
  server.call('DELETE', `/teams/${orgId}/members/${userId}`, { as })

export const roles = async (server: TestServer, orgId: string): Promise<Record<string, string>> => {
  const rows = await server.sql.rows<{ user_id: string; role: string }>`
    select user_id, role from memberships where org_id = ${orgId}`
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]))
}

export const auditTrail = (server: TestServer, orgId: string) =>
  server.sql.rows<{ action: string; target: string; metadata: object; actor_user_id: string }>`
    select action, target, metadata, actor_user_id from audit_entries where org_id = ${orgId} order by seq desc`

export async function mailsTo(server: TestServer, to: string): Promise<{ subject: string; text: string }[]> {
  await server.app.jobs.drain()
  const { body } = await server.call<{ mails: { subject: string; text: string }[] }>('GET', '/dev/outbox', {
    query: { to },
  })
  return body.mails
}

/** A browser of the person, signed in to the team. */
export async function visitorIn(server: TestServer, orgId: OrgId, person: Person) {
  await server.sql.rows`update users set active_org_id = ${orgId} where id = ${person.userId}`
  const visitor = server.visitor()
  await visitor.call('POST', '/auth/dev-login', { body: { email: person.email } })
  return visitor
}
