// An organisation with a hostile provider, and the assertions of its tests.

import { newId } from '@cowrie/server/src/kernel/ids.ts'
import { expect } from 'vitest'
import { type HostileProvider, startHostile } from '../fakes/sso/hostile-provider.ts'
import type { Reply, TestServer } from '../harness/harness.ts'
import { openSsoOrg, type SsoOrg } from './sso.ts'

export type HostileOrg = SsoOrg & { provider: HostileProvider; domain: string; email: string }

/** Opens an organisation with a unique domain. */
export async function openHostileOrg(server: TestServer): Promise<HostileOrg> {
  const provider = await startHostile()
  const domain = `${newId('dom').replace('_', '-')}.test`
  const email = `ada@${domain}`
  provider.claims = { sub: 'ada', email, email_verified: true }
  const connection = { type: 'oidc', issuer: provider.issuer, clientId: 'cowrie', clientSecret: 'shared' }
  return { provider, domain, email, ...(await openSsoOrg(server, { connection, domains: [domain] })) }
}

export async function sessionsOf(server: TestServer, email: string): Promise<number> {
  const rows = await server.sql
    .rows`select s.id from sessions s join users u on u.id = s.user_id where u.email = ${email}`
  return rows.length
}

/** Expects the error code and no session. */
export async function expectRefused(
  server: TestServer,
  { email }: { email: string },
  answer: Reply,
  status: 400 | 401 = 401,
): Promise<void> {
  const code = status === 401 ? 'sso_failed' : 'invalid_fields'
  expect(answer).toMatchObject({ status, body: { code } })
  expect(await sessionsOf(server, email)).toBe(0)
}
