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

/** Somebody with so much in the wallet and so much included. */
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

const asking = (
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

async function held(asked: Reservation) {
  const reserved = await reserve(server.app, asked)
  if (!reserved.ok) throw new Error(`refused: ${reserved.reason}`)
  return reserved
}

describe('a reserve', () => {
  test('sets money aside without spending it', async () => {
    const who = await owner(1000n)
    const { hold, balances } = await held(asking(who, 300n))
    expect(hold).toMatchObject({ amountMinor: 300n, includedMinor: 0n, chargedMinor: 0n, state: 'open' })
    expect(balances).toMatchObject({ balanceMinor: 1000n, heldMinor: 300n, availableMinor: 700n })
  })

  test('takes the allowance first and the wallet for the rest', async () => {
    const who = await owner(1000n, 200n)
    const { hold, balances } = await held(asking(who, 300n))
    expect(hold).toMatchObject({ amountMinor: 300n, includedMinor: 200n })
    expect(balances).toMatchObject({ heldMinor: 100n, includedRemainingMinor: 0n })
  })

  test('counts neither what is held of the wallet nor what is held of the allowance', async () => {
    const who = await owner(1000n, 500n)
    await held(asking(who, 400n))
    expect((await held(asking(who, 300n))).hold).toMatchObject({ includedMinor: 100n })
    expect(await reserve(server.app, asking(who, 801n))).toMatchObject({ ok: false, availableMinor: 800n })
    expect((await held(asking(who, 800n))).balances).toMatchObject({ heldMinor: 1000n, availableMinor: 0n })
  })

  test('that is not covered is refused and changes nothing', async () => {
    const who = await owner(100n, 50n)
    expect(await reserve(server.app, asking(who, 151n))).toMatchObject({
      ok: false,
      reason: 'insufficient',
      availableMinor: 150n,
      balances: { heldMinor: 0n, includedRemainingMinor: 50n },
    })
  })

  test('that may be cut holds as much as there is', async () => {
    const who = await owner(100n)
    const { hold } = await held(asking(who, 500n, { leastMinor: 80n }))
    expect(hold.amountMinor).toBe(100n)
  })

  test('with the same reference finds the hold it already has', async () => {
    const who = await owner(1000n)
    const asked = asking(who, 300n)
    const first = await held(asked)
    const second = await held(asked)
    expect(second.hold).toEqual(first.hold)
    expect(second.balances.heldMinor).toBe(300n)
  })

  test('with a reference that another organisation has too is a hold of its own', async () => {
    const [ada, ben] = [await owner(1000n), await owner(1000n)]
    const asked = [asking(ada, 300n, { ref: 'the same' }), asking(ben, 200n, { ref: 'the same' })]
    const made = []
    for (const each of asked) made.push((await held(each)).hold)
    expect(made).toMatchObject([{ amountMinor: 300n }, { amountMinor: 200n }])
    expect(made[0]?.holdId).not.toBe(made[1]?.holdId)
    for (const [n, each] of asked.entries()) expect((await held(each)).hold).toEqual(made[n])
  })

  test('with a reference whose hold is over is refused', async () => {
    const who = await owner(1000n)
    const asked = asking(who, 300n)
    const { hold } = await held(asked)
    await release(server.app, { orgId: who.orgId, holdId: hold.holdId })
    expect(await reserve(server.app, asked)).toMatchObject({ ok: false, reason: 'ended' })
  })

  test('of less than nothing, or with a least above its most, is a bug', async () => {
    const who = await owner(1000n)
    for (const wrong of [
      asking(who, -1n),
      asking(who, 1n, { leastMinor: 2n }),
      asking(who, 1n, { leastMinor: -1n }),
    ])
      await expect(reserve(server.app, wrong)).rejects.toThrow('a range of nothing or more')
  })

  test('of many at once never exceeds what is there', async () => {
    const who = await owner(1000n)
    const all = await Promise.all(Array.from({ length: 60 }, () => reserve(server.app, asking(who, 100n))))
    expect(all.filter(({ ok }) => ok)).toHaveLength(10)
  })
})

describe('a settlement', () => {
  test('takes what was used and lets go of the rest', async () => {
    const who = await owner(1000n, 100n)
    const { hold } = await held(asking(who, 300n))
    const usage = { lane: 'open' as const, model: 'm', tokens: 7n }
    const settled = await settle(server.app, {
      orgId: who.orgId,
      holdId: hold.holdId,
      amountMinor: 150n,
      usage,
    })
    expect(settled.hold).toMatchObject({ state: 'settled', chargedMinor: 150n })
    expect(settled.balances).toMatchObject({ balanceMinor: 950n, heldMinor: 0n, includedRemainingMinor: 0n })
    expect(settled.entryId).toMatch(/^led_/)
    expect(
      await server.sql.rows`select user_id, tokens, cost_minor from usage_points where org_id = ${who.orgId}`,
    ).toEqual([{ user_id: who.userId, tokens: 7n, cost_minor: 150n }])
  })

  test('never takes more than was held', async () => {
    const who = await owner(1000n)
    const { hold } = await held(asking(who, 300n))
    const settled = await settle(server.app, {
      orgId: who.orgId,
      holdId: hold.holdId,
      amountMinor: 900n,
      usage: null,
    })
    expect(settled.hold.chargedMinor).toBe(300n)
    expect(settled.balances.balanceMinor).toBe(700n)
  })

  test('happens once, and tells its outcome again', async () => {
    const who = await owner(1000n)
    const { hold } = await held(asking(who, 300n))
    const asked = { orgId: who.orgId, holdId: hold.holdId, usage: null }
    const all = await Promise.all(
      [100n, 200n, 300n].map((amountMinor) => settle(server.app, { ...asked, amountMinor })),
    )
    expect(new Set(all.map((each) => each.hold.chargedMinor)).size).toBe(1)
    expect(all.at(-1)?.balances.balanceMinor).toBe(1000n - (all[0]?.hold.chargedMinor ?? 0n))
    const late = await release(server.app, { orgId: who.orgId, holdId: hold.holdId })
    expect(late.hold).toEqual(all[0]?.hold)
  })
})

test('a settlement that the allowance pays is no entry, nor is one of nothing', async () => {
  const who = await owner(1000n, 100n)
  const ends = async (amountMinor: bigint) => {
    const { hold } = await held(asking(who, 300n))
    return settle(server.app, { orgId: who.orgId, holdId: hold.holdId, amountMinor, usage: null })
  }
  const covered = { entryId: null, balances: { balanceMinor: 1000n, heldMinor: 0n } }
  expect(await ends(0n)).toMatchObject(covered)
  expect(await ends(100n)).toMatchObject(covered)
  expect(await ends(0n)).toMatchObject(covered)
  await expect(ends(-1n)).rejects.toThrow('work costs nothing or more')
})

describe('a hold', () => {
  test('that nobody settles ends at its deadline, and a late settlement costs nothing', async () => {
    const who = await owner(1000n)
    const { hold } = await held(asking(who, 300n))
    expect(await expireDueHolds(server.app)).toBe(0)
    server.clock.advance({ seconds: 61 })
    expect(await expireDueHolds(server.app)).toBeGreaterThan(0)
    const late = await settle(server.app, {
      orgId: who.orgId,
      holdId: hold.holdId,
      amountMinor: 300n,
      usage: null,
    })
    expect(late).toMatchObject({
      hold: { state: 'expired', chargedMinor: 0n },
      balances: { balanceMinor: 1000n, heldMinor: 0n },
    })
  })

  test('that cannot end leaves the others their end, and is tried again', async () => {
    const [broken, well] = [await owner(1000n), await owner(1000n)]
    await held(asking(broken, 300n))
    await held(asking(well, 300n))
    await server.sql.rows`update wallets set held_minor = 0 where org_id = ${broken.orgId}`
    server.clock.advance({ seconds: 61 })
    expect(await expireDueHolds(server.app)).toBe(1)
    expect(server.logged.join('')).toContain('wallet.hold.expire_failed')
    await server.sql.rows`update wallets set held_minor = 300 where org_id = ${broken.orgId}`
    expect(await expireDueHolds(server.app)).toBe(1)
  })

  test('that was extended lives on', async () => {
    const who = await owner(1000n)
    const { hold } = await held(asking(who, 300n))
    const deadline = new Date(server.clock.now().getTime() + 600_000)
    expect(await extendHold(server.app, { orgId: who.orgId, holdId: hold.holdId, deadline })).toBe(true)
    server.clock.advance({ seconds: 61 })
    expect(await expireDueHolds(server.app)).toBe(0)
  })

  test('of an older allowance does not bring it back', async () => {
    const who = await owner(0n, 500n)
    const { hold } = await held(asking(who, 400n))
    await server.app.db.tx(who.orgId, (tx) =>
      grantIncluded(server.app, tx, {
        orgId: who.orgId,
        amountMinor: 1000n,
        ref: 'renewal',
        cause: `renewal ${who.orgId}`,
      }),
    )
    const { balances } = await settle(server.app, {
      orgId: who.orgId,
      holdId: hold.holdId,
      amountMinor: 100n,
      usage: null,
    })
    expect(balances.includedRemainingMinor).toBe(1000n)
  })

  test('of one organisation is not ended or extended by another', async () => {
    const [ada, ben] = [await owner(1000n), await owner(1000n)]
    const { hold } = await held(asking(ada, 300n))
    const asked = { orgId: ben.orgId, holdId: hold.holdId }
    const nothing = { hold: { state: 'expired', chargedMinor: 0n }, entryId: null }
    expect(await settle(server.app, { ...asked, amountMinor: 300n, usage: null })).toMatchObject(nothing)
    expect(await release(server.app, asked)).toMatchObject(nothing)
    expect(await extendHold(server.app, { ...asked, deadline: server.clock.now() })).toBe(false)
    expect((await held(asking(ada, 1n))).balances).toMatchObject({ balanceMinor: 1000n, heldMinor: 301n })
  })

  test('that a crash of the database took back is not charged, and we are told', async () => {
    const who = await owner(1000n)
    const lost = { orgId: who.orgId, holdId: newId('hld') }
    const settled = await settle(server.app, { ...lost, amountMinor: 300n, usage: null })
    expect(settled).toMatchObject({
      hold: { chargedMinor: 0n },
      balances: { balanceMinor: 1000n, heldMinor: 0n },
    })
    expect(server.logged.join('')).toContain('wallet.hold.missing')
  })

  test('ends by its deadline at that very moment and not before, and only once', async () => {
    const who = await owner(1000n)
    const { hold } = await held(asking(who, 300n))
    const asked = { orgId: who.orgId, holdId: hold.holdId }
    server.clock.advance({ ms: 59_999 })
    expect(await expire(server.app, asked)).toBe(false)
    server.clock.advance({ ms: 1 })
    expect(await expire(server.app, asked)).toBe(true)
    const { hold: settled } = await held(asking(who, 300n))
    await settle(server.app, { orgId: who.orgId, holdId: settled.holdId, amountMinor: 1n, usage: null })
    server.clock.advance({ minutes: 2 })
    expect(await expire(server.app, { orgId: who.orgId, holdId: settled.holdId })).toBe(false)
  })

  test('is never given less time by an extension, and one that has ended gets none', async () => {
    const who = await owner(1000n)
    const { hold } = await held(asking(who, 300n))
    const asked = { orgId: who.orgId, holdId: hold.holdId }
    expect(await extendHold(server.app, { ...asked, deadline: server.clock.now() })).toBe(true)
    expect(await expire(server.app, asked)).toBe(false)
    await release(server.app, asked)
    expect(await extendHold(server.app, { ...asked, deadline: server.clock.now() })).toBe(false)
  })
})

test('a member’s cap counts what is spent and what is held, also among many at once', async () => {
  const who = await owner(100_000n)
  await server.sql.rows`update memberships set seat_cap_minor = 1000 where org_id = ${who.orgId}`
  const all = await Promise.all(Array.from({ length: 30 }, () => reserve(server.app, asking(who, 100n))))
  expect(all.filter(({ ok }) => ok)).toHaveLength(10)
  expect(all.find(({ ok }) => !ok)).toMatchObject({ reason: 'cap_reached' })
})
