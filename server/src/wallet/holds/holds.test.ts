import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId, type OrgId, type UserId } from '../../kernel/ids.ts'
import { credit, extendHold, grantIncluded, type Reservation, release, reserve, settle } from '../wallet.ts'
import { expireDueHolds } from './expire-holds.ts'
import { expire } from './holds.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let count = 0
type Owner = { orgId: OrgId; userId: UserId }

async function owner(balanceMinor = 0n, includedMinor = 0n): Promise<Owner> {
  const { orgId, userId } = (await server.person()) as Owner
  await server.app.db.tx(orgId, async (tx) => {
    const named = { orgId, ref: `given ${++count}`, cause: `given ${count}` }
    if (balanceMinor > 0n)
      await credit(server.app, tx, {
        ...named,
        amountMinor: balanceMinor,
        source: 'topup',
        account: 'clearing:mock',
      })
    if (includedMinor > 0n)
      await grantIncluded(server.app, tx, { ...named, cause: `grant ${count}`, amountMinor: includedMinor })
  })
  return { orgId, userId }
}

const reservation = (
  { orgId, userId }: Owner,
  amountMinor: bigint,
  rest: Partial<Reservation> = {},
): Reservation => ({
  orgId,
  userId,
  ref: `work ${++count}`,
  source: 'agent',
  amountMinor,
  terms: { lane: 'open' },
  deadline: new Date(server.clock.now().getTime() + 60_000),
  ...rest,
})

async function mustReserve(input: Reservation) {
  const result = await reserve(server.app, input)
  if (!result.ok) throw new Error(`refused: ${result.reason}`)
  return result
}

describe('reserve', () => {
  test('reserves money without spending it', async () => {
    const payer = await owner(1000n)
    const { hold, balances } = await mustReserve(reservation(payer, 300n))
    expect(hold).toMatchObject({ amountMinor: 300n, includedMinor: 0n, chargedMinor: 0n, state: 'open' })
    expect(balances).toMatchObject({ balanceMinor: 1000n, heldMinor: 300n, availableMinor: 700n })
  })

  test('uses the allowance first and the wallet for the rest', async () => {
    const payer = await owner(1000n, 200n)
    const { hold, balances } = await mustReserve(reservation(payer, 300n))
    expect(hold).toMatchObject({ amountMinor: 300n, includedMinor: 200n })
    expect(balances).toMatchObject({ heldMinor: 100n, includedRemainingMinor: 0n })
  })

  test('excludes the held parts of wallet and allowance', async () => {
    const payer = await owner(1000n, 500n)
    await mustReserve(reservation(payer, 400n))
    expect((await mustReserve(reservation(payer, 300n))).hold).toMatchObject({ includedMinor: 100n })
    expect(await reserve(server.app, reservation(payer, 801n))).toMatchObject({
      ok: false,
      availableMinor: 800n,
    })
    expect((await mustReserve(reservation(payer, 800n))).balances).toMatchObject({
      heldMinor: 1000n,
      availableMinor: 0n,
    })
  })

  test('refuses an amount that is not covered and changes nothing', async () => {
    const payer = await owner(100n, 50n)
    expect(await reserve(server.app, reservation(payer, 151n))).toMatchObject({
      ok: false,
      reason: 'insufficient',
      availableMinor: 150n,
      balances: { heldMinor: 0n, includedRemainingMinor: 50n },
    })
  })

  test('with leastMinor holds the available money', async () => {
    const payer = await owner(100n)
    const { hold } = await mustReserve(reservation(payer, 500n, { leastMinor: 80n }))
    expect(hold.amountMinor).toBe(100n)
  })

  test('returns the existing hold of the same reference', async () => {
    const payer = await owner(1000n)
    const input = reservation(payer, 300n)
    const first = await mustReserve(input)
    const second = await mustReserve(input)
    expect(second.hold).toEqual(first.hold)
    expect(second.balances.heldMinor).toBe(300n)
  })

  test('makes separate holds for the same reference of two organisations', async () => {
    const [ada, ben] = [await owner(1000n), await owner(1000n)]
    const input = [reservation(ada, 300n, { ref: 'the same' }), reservation(ben, 200n, { ref: 'the same' })]
    const made = []
    for (const each of input) made.push((await mustReserve(each)).hold)
    expect(made).toMatchObject([{ amountMinor: 300n }, { amountMinor: 200n }])
    expect(made[0]?.holdId).not.toBe(made[1]?.holdId)
    for (const [n, each] of input.entries()) expect((await mustReserve(each)).hold).toEqual(made[n])
  })

  test('refuses a reference whose hold has ended', async () => {
    const payer = await owner(1000n)
    const input = reservation(payer, 300n)
    const { hold } = await mustReserve(input)
    await release(server.app, { orgId: payer.orgId, holdId: hold.holdId })
    expect(await reserve(server.app, input)).toMatchObject({ ok: false, reason: 'ended' })
  })

  test('throws for a negative amount and for leastMinor above amountMinor', async () => {
    const payer = await owner(1000n)
    for (const wrong of [
      reservation(payer, -1n),
      reservation(payer, 1n, { leastMinor: 2n }),
      reservation(payer, 1n, { leastMinor: -1n }),
    ])
      await expect(reserve(server.app, wrong)).rejects.toThrow('a hold needs 0 <= leastMinor <= amountMinor')
  })

  test('never exceeds the balance with many concurrent calls', async () => {
    const payer = await owner(1000n)
    const all = await Promise.all(
      Array.from({ length: 60 }, () => reserve(server.app, reservation(payer, 100n))),
    )
    expect(all.filter(({ ok }) => ok)).toHaveLength(10)
  })
})

describe('settle', () => {
  test('charges the used amount and releases the rest', async () => {
    const payer = await owner(1000n, 100n)
    const { hold } = await mustReserve(reservation(payer, 300n))
    const usage = { lane: 'open' as const, model: 'm', tokens: 7n }
    const settled = await settle(server.app, {
      orgId: payer.orgId,
      holdId: hold.holdId,
      amountMinor: 150n,
      usage,
    })
    expect(settled.hold).toMatchObject({ state: 'settled', chargedMinor: 150n })
    expect(settled.balances).toMatchObject({ balanceMinor: 950n, heldMinor: 0n, includedRemainingMinor: 0n })
    expect(settled.entryId).toMatch(/^led_/)
    expect(
      await server.sql
        .rows`select user_id, tokens, cost_minor from usage_points where org_id = ${payer.orgId}`,
    ).toEqual([{ user_id: payer.userId, tokens: 7n, cost_minor: 150n }])
  })

  test('never charges more than the hold', async () => {
    const payer = await owner(1000n)
    const { hold } = await mustReserve(reservation(payer, 300n))
    const settled = await settle(server.app, {
      orgId: payer.orgId,
      holdId: hold.holdId,
      amountMinor: 900n,
      usage: null,
    })
    expect(settled.hold.chargedMinor).toBe(300n)
    expect(settled.balances.balanceMinor).toBe(700n)
  })

  test('charges once and returns the same result to repeated calls', async () => {
    const payer = await owner(1000n)
    const { hold } = await mustReserve(reservation(payer, 300n))
    const input = { orgId: payer.orgId, holdId: hold.holdId, usage: null }
    const all = await Promise.all(
      [100n, 200n, 300n].map((amountMinor) => settle(server.app, { ...input, amountMinor })),
    )
    expect(new Set(all.map((each) => each.hold.chargedMinor)).size).toBe(1)
    expect(all.at(-1)?.balances.balanceMinor).toBe(1000n - (all[0]?.hold.chargedMinor ?? 0n))
    const late = await release(server.app, { orgId: payer.orgId, holdId: hold.holdId })
    expect(late.hold).toEqual(all[0]?.hold)
  })
})

test('a settlement without a wallet charge makes no ledger entry', async () => {
  const payer = await owner(1000n, 100n)
  const ends = async (amountMinor: bigint) => {
    const { hold } = await mustReserve(reservation(payer, 300n))
    return settle(server.app, { orgId: payer.orgId, holdId: hold.holdId, amountMinor, usage: null })
  }
  const covered = { entryId: null, balances: { balanceMinor: 1000n, heldMinor: 0n } }
  expect(await ends(0n)).toMatchObject(covered)
  expect(await ends(100n)).toMatchObject(covered)
  expect(await ends(0n)).toMatchObject(covered)
  await expect(ends(-1n)).rejects.toThrow('a settled amount must not be negative')
})

describe('a hold', () => {
  test('expires at its deadline, and a late settlement charges nothing', async () => {
    const payer = await owner(1000n)
    const { hold } = await mustReserve(reservation(payer, 300n))
    expect(await expireDueHolds(server.app)).toBe(0)
    server.clock.advance({ seconds: 61 })
    expect(await expireDueHolds(server.app)).toBeGreaterThan(0)
    const late = await settle(server.app, {
      orgId: payer.orgId,
      holdId: hold.holdId,
      amountMinor: 300n,
      usage: null,
    })
    expect(late).toMatchObject({
      hold: { state: 'expired', chargedMinor: 0n },
      balances: { balanceMinor: 1000n, heldMinor: 0n },
    })
  })

  test('that fails to expire does not stop the others and is retried', async () => {
    const [broken, well] = [await owner(1000n), await owner(1000n)]
    await mustReserve(reservation(broken, 300n))
    await mustReserve(reservation(well, 300n))
    await server.sql.rows`update wallets set held_minor = 0 where org_id = ${broken.orgId}`
    server.clock.advance({ seconds: 61 })
    expect(await expireDueHolds(server.app)).toBe(1)
    expect(server.logged.join('')).toContain('wallet.hold.expire_failed')
    await server.sql.rows`update wallets set held_minor = 300 where org_id = ${broken.orgId}`
    expect(await expireDueHolds(server.app)).toBe(1)
  })

  test('stays open after its deadline was extended', async () => {
    const payer = await owner(1000n)
    const { hold } = await mustReserve(reservation(payer, 300n))
    const deadline = new Date(server.clock.now().getTime() + 600_000)
    expect(await extendHold(server.app, { orgId: payer.orgId, holdId: hold.holdId, deadline })).toBe(true)
    server.clock.advance({ seconds: 61 })
    expect(await expireDueHolds(server.app)).toBe(0)
  })

  test('on a previous allowance does not restore that allowance', async () => {
    const payer = await owner(0n, 500n)
    const { hold } = await mustReserve(reservation(payer, 400n))
    await server.app.db.tx(payer.orgId, (tx) =>
      grantIncluded(server.app, tx, {
        orgId: payer.orgId,
        amountMinor: 1000n,
        ref: 'renewal',
        cause: `renewal ${payer.orgId}`,
      }),
    )
    const { balances } = await settle(server.app, {
      orgId: payer.orgId,
      holdId: hold.holdId,
      amountMinor: 100n,
      usage: null,
    })
    expect(balances.includedRemainingMinor).toBe(1000n)
  })

  test('cannot be ended or extended by another organisation', async () => {
    const [ada, ben] = [await owner(1000n), await owner(1000n)]
    const { hold } = await mustReserve(reservation(ada, 300n))
    const input = { orgId: ben.orgId, holdId: hold.holdId }
    const nothing = { hold: { state: 'expired', chargedMinor: 0n }, entryId: null }
    expect(await settle(server.app, { ...input, amountMinor: 300n, usage: null })).toMatchObject(nothing)
    expect(await release(server.app, input)).toMatchObject(nothing)
    expect(await extendHold(server.app, { ...input, deadline: server.clock.now() })).toBe(false)
    expect((await mustReserve(reservation(ada, 1n))).balances).toMatchObject({
      balanceMinor: 1000n,
      heldMinor: 301n,
    })
  })

  test('that a database crash lost is not charged, and an error is logged', async () => {
    const payer = await owner(1000n)
    const lost = { orgId: payer.orgId, holdId: newId('hld') }
    const settled = await settle(server.app, { ...lost, amountMinor: 300n, usage: null })
    expect(settled).toMatchObject({
      hold: { chargedMinor: 0n },
      balances: { balanceMinor: 1000n, heldMinor: 0n },
    })
    expect(server.logged.join('')).toContain('wallet.hold.missing')
  })

  test('expires exactly at its deadline and only once', async () => {
    const payer = await owner(1000n)
    const { hold } = await mustReserve(reservation(payer, 300n))
    const input = { orgId: payer.orgId, holdId: hold.holdId }
    server.clock.advance({ ms: 59_999 })
    expect(await expire(server.app, input)).toBe(false)
    server.clock.advance({ ms: 1 })
    expect(await expire(server.app, input)).toBe(true)
    const { hold: settled } = await mustReserve(reservation(payer, 300n))
    await settle(server.app, { orgId: payer.orgId, holdId: settled.holdId, amountMinor: 1n, usage: null })
    server.clock.advance({ minutes: 2 })
    expect(await expire(server.app, { orgId: payer.orgId, holdId: settled.holdId })).toBe(false)
  })

  test('keeps a later deadline, and cannot be extended after its end', async () => {
    const payer = await owner(1000n)
    const { hold } = await mustReserve(reservation(payer, 300n))
    const input = { orgId: payer.orgId, holdId: hold.holdId }
    expect(await extendHold(server.app, { ...input, deadline: server.clock.now() })).toBe(true)
    expect(await expire(server.app, input)).toBe(false)
    await release(server.app, input)
    expect(await extendHold(server.app, { ...input, deadline: server.clock.now() })).toBe(false)
  })
})

test('a member’s cap counts spent and held money, also with concurrent calls', async () => {
  const payer = await owner(100_000n)
  await server.sql.rows`update memberships set seat_cap_minor = 1000 where org_id = ${payer.orgId}`
  const all = await Promise.all(
    Array.from({ length: 30 }, () => reserve(server.app, reservation(payer, 100n))),
  )
  expect(all.filter(({ ok }) => ok)).toHaveLength(10)
  expect(all.find(({ ok }) => !ok)).toMatchObject({ reason: 'cap_reached' })
})
