import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import {
  createPasswordUser,
  from,
  login,
  newAddress,
  PROXIED,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { challengeFor, createMfaUser, wrongCode } from '@cowrie/testkit/sign-in/second-factor.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrgId } from '../../kernel/ids.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ variables: PROXIED })
})
afterAll(() => server.close())

const WRONG = 'not the password of anybody'

const failuresOf = (orgId: OrgId) => server.sql.rows<Record<string, unknown>>`
  select actor_kind, target, ip, metadata from audit_entries
  where org_id = ${orgId} and action = 'auth.signInFailed' order by seq`

test('a wrong password is in the audit log of the account, with its address and without a user', async () => {
  const ada = await createPasswordUser(server)
  await login(server, ada.email, WRONG, from('198.51.100.7'))
  await expect
    .poll(() => failuresOf(ada.orgId))
    .toEqual([
      {
        actor_kind: 'system',
        target: ada.userId,
        ip: '198.51.100.7',
        metadata: { method: 'password', reason: 'wrong_credentials' },
      },
    ])
})

test('a wrong code after the correct password is in it too', async () => {
  const ada = await createMfaUser(server)
  const body = { challenge: await challengeFor(server, ada), code: wrongCode(server, ada.secret) }
  expect((await server.call('POST', '/auth/mfa/challenge', { body })).status).toBe(401)
  expect(await failuresOf(ada.orgId)).toMatchObject([
    { target: ada.userId, metadata: { method: 'password', reason: 'wrong_code' } },
  ])
})

test('further guesses leave at most ten entries an hour', async () => {
  const ada = await createMfaUser(server)
  const guess = async (times: number) => {
    for (let count = 0; count < times; count++) {
      // The limit of codes resets after five minutes and would apply first.
      server.clock.advance({ minutes: 1 })
      const body = { challenge: await challengeFor(server, ada), code: wrongCode(server, ada.secret) }
      await server.call('POST', '/auth/mfa/challenge', { body })
    }
  }
  await guess(12)
  expect(await failuresOf(ada.orgId)).toHaveLength(10)
  server.clock.advance({ hours: 1 })
  await guess(1)
  expect(await failuresOf(ada.orgId)).toHaveLength(11)
})

test('an unknown address leaves no entry', async () => {
  const count = () =>
    server.sql.one<{ count: bigint }>`
      select count(*) as count from audit_entries where action = 'auth.signInFailed' and org_id is null`
  const ada = await createPasswordUser(server)
  await login(server, newAddress(), WRONG)
  await login(server, ada.email, WRONG)
  await expect.poll(() => failuresOf(ada.orgId)).toHaveLength(1)
  expect(await count()).toEqual({ count: 0n })
})

test('a sign-in is refused as ever when its failure cannot be recorded', async () => {
  const ada = await createPasswordUser(server)
  await server.sql.rows`
    alter table audit_entries add constraint broken check (action <> 'auth.signInFailed') not valid`
  try {
    expect((await login(server, ada.email, WRONG)).status).toBe(401)
    await expect.poll(() => server.logged.join()).toContain('sign_in.failure.record_failed')
  } finally {
    await server.sql.rows`alter table audit_entries drop constraint broken`
  }
})
