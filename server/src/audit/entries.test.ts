import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../platform/http/actor.ts'
import { exportEntries } from './entries.ts'

let server: TestServer
let ada: Person
let actor: Actor
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person({ email: 'ada@example.com' })
  actor = {
    via: 'session',
    ...ada,
    role: 'owner',
    scopes: ['*'],
    staffRole: null,
    language: null,
    sessionId: null,
    keyId: null,
    keyLimits: null,
    mfaEnabled: false,
    ssoOrgId: null,
    needsSso: false,
    pendingEmail: null,
    address: '192.0.2.1',
    isAddressRefused: false,
    signedInAt: null,
    secondFactorAt: null,
    heldStaffRole: null,
    org: {
      name: 'Ada',
      type: 'individual',
      tier: 'individual',
      currency: 'NGN',
      suspended: false,
      kycStatus: 'unsubmitted',
      allowedLanes: ['open', 'frontier'],
      allowedModels: null,
      plan: null,
      subscriptionStatus: null,
      residencyRegion: null,
    },
  }
})
afterAll(() => server.close())

const fill = (count: number, target: string) => server.sql.rows`
  insert into audit_entries (id, org_id, actor_kind, action, target, metadata, created_at)
  select 'aud_' || ${target} || n, ${ada.orgId}, 'system', 'test.did', ${target}, '{"note": "a, b"}', ${server.clock.now()}
  from generate_series(1, ${count}) n`

test('an export has a header, one line per entry, and no formulas', async () => {
  await fill(2, '=HYPERLINK("http://evil")')
  const { csv, nextCursor } = await exportEntries(server.app, actor, {})
  const [header, first, second, rest] = csv.split('\r\n')
  expect(header).toBe(
    'createdAt,orgId,seq,id,actorKind,actorUserId,actorEmail,action,target,metadata,ip,prevHash,hash',
  )
  expect(first).toMatch(/^2026-11-15T09:00:00\.000Z,org_\w+,2,/)
  expect(first).toContain(`"'=HYPERLINK(""http://evil"")","{""note"":""a, b""}",,`)
  expect(second).toMatch(/,1,/)
  expect([rest, nextCursor]).toEqual(['', null])
})

const ROWS = rounds(1_000, 10_000)
/** Soak runs use the limit of the service. */
const ROWS_MAX = isSoak ? undefined : ROWS

test(`an export ends after ${ROWS} rows and returns a cursor`, { timeout: 240_000 }, async () => {
  for (const part of ['a', 'b', 'c', 'd']) await fill(ROWS / 4, part)
  await fill(3, 'e')
  const { csv, nextCursor } = await exportEntries(server.app, actor, { action: 'test' }, ROWS_MAX)
  expect(csv.split('\r\n')).toHaveLength(ROWS + 2)
  const rest = await exportEntries(server.app, actor, { action: 'test', cursor: nextCursor ?? '' })
  expect(rest.csv.split('\r\n')).toHaveLength(7)
  expect(rest.nextCursor).toBeNull()
})
