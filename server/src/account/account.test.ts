import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { credit, grantIncluded, reserve } from '../wallet/wallet.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('GET /me', () => {
  test('shows the user, with an empty wallet and no plan at first', async () => {
    const person = await server.person()
    expect((await server.call('GET', '/me', { as: person })).body).toMatchObject({
      userId: person.userId,
      orgId: person.orgId,
      email: person.email,
      role: 'owner',
      isPlatformAdmin: false,
      isSuperAdmin: false,
      staffRole: null,
      currency: { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' },
      balanceMinor: 0n,
      heldMinor: 0n,
      availableMinor: 0n,
      includedRemainingMinor: 0n,
      plan: null,
      subscriptionStatus: null,
      orgType: 'individual',
      orgSuspended: false,
    })
  })

  test('shows the wallet balance', async () => {
    const person = await server.person()
    const { orgId, userId } = person
    const given = { orgId, amountMinor: 1000n, ref: 'x' }
    await server.app.db.tx(orgId, async (tx) => {
      await credit(server.app, tx, { ...given, cause: 'x 1', source: 'topup', account: 'clearing:mock' })
      await grantIncluded(server.app, tx, { ...given, cause: 'x 2' })
    })
    await reserve(server.app, {
      orgId,
      userId,
      ref: 'work',
      source: 'agent',
      amountMinor: 1300n,
      terms: {},
      deadline: new Date(server.clock.now().getTime() + 60_000),
    })
    const { body } = await server.call('GET', '/me', { as: person })
    expect(body).toMatchObject({
      balanceMinor: 1000n,
      heldMinor: 300n,
      availableMinor: 700n,
      includedRemainingMinor: 0n,
    })
    expect((await server.call('GET', '/wallet', { as: person })).body).toMatchObject({ balanceMinor: 1000n })
  })

  test('shows the remaining cap, counting holds as spent, and null without a cap', async () => {
    const owner = await server.person({ type: 'team' })
    const member = await server.member(owner.orgId, 'member')
    const { orgId, userId } = member
    const capOf = async () => (await server.call('GET', '/me', { as: member })).body.cap
    expect(await capOf()).toBeNull()
    await server.call('PATCH', `/teams/${orgId}/members/${userId}`, { as: owner, body: { capNaira: 5 } })
    expect(await capOf()).toEqual({ capMinor: 500n, leftMinor: 500n })
    await server.app.db.tx(orgId, (tx) =>
      credit(server.app, tx, {
        ...{ orgId, amountMinor: 1000n, ref: 'x', cause: 'cap', source: 'topup', account: 'clearing:mock' },
      }),
    )
    const deadline = new Date(server.clock.now().getTime() + 60_000)
    const work = { ref: 'capped', source: 'agent', amountMinor: 120n, terms: {}, deadline } as const
    await reserve(server.app, { orgId, userId, ...work })
    expect(await capOf()).toEqual({ capMinor: 500n, leftMinor: 380n })
  })
})
