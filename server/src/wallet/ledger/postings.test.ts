import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit, grantAllowance, holdSome } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { json } from '../../platform/db/tx.ts'
import {
  credit,
  debit,
  grantIncluded,
  type PostingInput,
  type PostingResult,
  readBalances,
  release,
  settle,
} from '../wallet.ts'
import { applyOps, type WalletOp } from './apply-ops.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let count = 0
async function owner(balanceMinor = 0n, includedMinor = 0n): Promise<Person> {
  const person = await server.person()
  if (balanceMinor > 0n) await giveCredit(server, person.orgId, balanceMinor)
  if (includedMinor > 0n) await grantAllowance(server, person.orgId, includedMinor)
  return person
}

const moveOf = (orgId: OrgId, amountMinor: bigint, cause = `cause ${++count}`): PostingInput => ({
  orgId,
  amountMinor,
  source: 'adjustment',
  ref: cause,
  cause,
  account: 'adjustments',
})
const put = (orgId: OrgId, amountMinor: bigint, cause?: string): Promise<PostingResult> =>
  server.app.db.tx(orgId, (tx) => credit(server.app, tx, moveOf(orgId, amountMinor, cause)))
const take = (
  orgId: OrgId,
  amountMinor: bigint,
  rest: { leastMinor?: bigint } = {},
): Promise<PostingResult> =>
  server.app.db.tx(orgId, (tx) => debit(server.app, tx, { ...moveOf(orgId, amountMinor), ...rest }))
const grant = (orgId: OrgId, amountMinor: bigint, cause = `cause ${++count}`): Promise<PostingResult> =>
  server.app.db.tx(orgId, (tx) => grantIncluded(server.app, tx, { orgId, amountMinor, ref: cause, cause }))
const now = ({ orgId }: Person) => readBalances(server.app.db.direct, orgId)

/** An operation put past the checks of the code, as the database judges it. */
async function verdictOf(op: WalletOp): Promise<string | undefined> {
  const [verdict] = await applyOps(server.app.db.direct, [op], server.clock.now(), {})
  return verdict?.verdict
}

describe('a credit', () => {
  test('of a cause that has moved money before moves nothing, in this wallet or another', async () => {
    const [ada, ben] = [await owner(), await owner()]
    expect(await put(ada.orgId, 70n, 'paid once')).toMatchObject({ postedMinor: 70n })
    for (const { orgId } of [ada, ben])
      expect(await put(orgId, 70n, 'paid once')).toMatchObject({ entryId: null, postedMinor: 0n })
    expect(await now(ada)).toMatchObject({ balanceMinor: 70n })
    expect(await now(ben)).toMatchObject({ balanceMinor: 0n })
  })

  test('is positive, and not beyond all measure', async () => {
    const who = await owner(10n)
    for (const amountMinor of [0n, -5n])
      await expect(put(who.orgId, amountMinor)).rejects.toThrow('a credit is positive')
    await expect(put(who.orgId, 4_000_000_000_000_000_000n)).rejects.toMatchObject({ code: 'wallet_full' })
    const op = { ...opOf(who.orgId), kind: 'credit' as const }
    for (const amount of [0n, -5n, 4_000_000_000_000_000_000n])
      expect(await verdictOf({ ...op, amount })).toBe('too_much')
    expect(await now(who)).toMatchObject({ balanceMinor: 10n })
  })
})

const opOf = (org: OrgId) => ({
  org,
  mid: newId('led'),
  cause: `cause ${++count}`,
  ref: 'x',
  source: 'adjustment' as const,
  account: 'adjustments' as const,
})

describe('a debit', () => {
  test('takes all or nothing', async () => {
    const who = await owner(100n)
    expect(await take(who.orgId, 101n)).toMatchObject({ entryId: null, postedMinor: 0n })
    expect(await take(who.orgId, 100n)).toMatchObject({ postedMinor: 100n, balances: { balanceMinor: 0n } })
  })

  test('that may be less takes what there is from its least on, and never what is reserved', async () => {
    const who = await owner(100n, 500n)
    await holdSome(server, who, 560n)
    expect(await take(who.orgId, 100n, { leastMinor: 41n })).toMatchObject({ postedMinor: 0n })
    expect(await take(who.orgId, 100n, { leastMinor: 40n })).toMatchObject({
      postedMinor: 40n,
      balances: { balanceMinor: 60n, heldMinor: 60n, availableMinor: 0n },
    })
  })

  test('is positive', async () => {
    const who = await owner(100n)
    for (const amountMinor of [0n, -5n])
      await expect(take(who.orgId, amountMinor)).rejects.toThrow('a debit is positive')
    const op = { ...opOf(who.orgId), kind: 'debit' as const, least: -9n }
    for (const amount of [0n, -5n]) expect(await verdictOf({ ...op, amount })).toBe('insufficient')
    expect(await now(who)).toMatchObject({ balanceMinor: 100n })
  })
})

describe('an allowance', () => {
  test('takes the place of what was left, and leaves what is reserved of it', async () => {
    const who = await owner(0n, 500n)
    const holdId = await holdSome(server, who, 200n)
    expect(await now(who)).toMatchObject({ includedRemainingMinor: 300n })
    expect((await grant(who.orgId, 1000n)).balances.includedRemainingMinor).toBe(1000n)
    const { balances: after } = await release(server.app, { orgId: who.orgId, holdId })
    expect(after).toMatchObject({ includedRemainingMinor: 1000n, balanceMinor: 0n })
  })

  test('of one grant is given back when its work ends before the next', async () => {
    const who = await owner(0n, 500n)
    await grant(who.orgId, 600n)
    const holdId = await holdSome(server, who, 200n)
    const asked = { orgId: who.orgId, holdId, amountMinor: 50n, usage: null }
    expect((await settle(server.app, asked)).balances.includedRemainingMinor).toBe(550n)
  })

  test('is granted once for its cause, also where it changed nothing', async () => {
    const who = await owner(1000n, 500n)
    expect((await grant(who.orgId, 500n, 'the month')).entryId).not.toBeNull()
    await holdSome(server, who, 300n)
    expect(await grant(who.orgId, 500n, 'the month')).toMatchObject({
      entryId: null,
      balances: { includedRemainingMinor: 200n },
    })
  })

  test('is nothing or more, and not beyond all measure', async () => {
    const who = await owner(0n, 500n)
    await expect(grant(who.orgId, -1n)).rejects.toThrow('an allowance is nothing or more')
    await expect(grant(who.orgId, 1_000_000_000_000_000_001n)).rejects.toMatchObject({ code: 'wallet_full' })
    const { account: _, ...op } = opOf(who.orgId)
    for (const amount of [-1n, 1_000_000_000_000_000_001n])
      expect(await verdictOf({ ...op, kind: 'grant', source: 'subscription', amount })).toBe('too_much')
    expect((await grant(who.orgId, 0n)).balances.includedRemainingMinor).toBe(0n)
  })
})

describe('at the same time on many connections', () => {
  const creditTo = (orgId: OrgId): WalletOp => ({ ...opOf(orgId), kind: 'credit', amount: 1n })
  const send = (ops: WalletOp[]) => applyOps(server.app.db.direct, ops, server.clock.now(), {})

  test('each movement follows from the one before', async () => {
    const who = await owner()
    await Promise.all(Array.from({ length: 40 }, () => send([creditTo(who.orgId)])))
    expect(await now(who)).toMatchObject({ balanceMinor: 40n })
  })

  test('those of several wallets wait for each other, and never in a circle', async () => {
    const people = [await owner(), await owner(), await owner()]
    const batch = (turned: boolean) =>
      (turned ? people.toReversed() : people).map(({ orgId }) => creditTo(orgId))
    await Promise.all(Array.from({ length: 40 }, (_, i) => send(batch(i % 2 === 0))))
    for (const who of people) expect(await now(who)).toMatchObject({ balanceMinor: 40n })
  })
})

test('the release before this one still moves money during a rollout', async () => {
  const who = await owner()
  const op = { n: 0, ...opOf(who.orgId), kind: 'credit', amount: 5n }
  const verdicts = await server.app.db.direct.rows`
    select verdict from wallet_apply(${json([op])}, ${server.clock.now()}, ${0n})`
  expect(verdicts).toEqual([{ verdict: 'moved' }])
  await server.app.db.direct.rows`select wallet_set_threshold(${who.orgId}, ${7n}, ${0n})`
  expect(await now(who)).toMatchObject({ balanceMinor: 5n })
})
