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

const inputOf = (orgId: OrgId, amountMinor: bigint, cause = `cause ${++count}`): PostingInput => ({
  orgId,
  amountMinor,
  source: 'adjustment',
  ref: cause,
  cause,
  account: 'adjustments',
})
const creditWallet = (orgId: OrgId, amountMinor: bigint, cause?: string): Promise<PostingResult> =>
  server.app.db.tx(orgId, (tx) => credit(server.app, tx, inputOf(orgId, amountMinor, cause)))
const debitWallet = (
  orgId: OrgId,
  amountMinor: bigint,
  rest: { leastMinor?: bigint } = {},
): Promise<PostingResult> =>
  server.app.db.tx(orgId, (tx) => debit(server.app, tx, { ...inputOf(orgId, amountMinor), ...rest }))
const grant = (orgId: OrgId, amountMinor: bigint, cause = `cause ${++count}`): Promise<PostingResult> =>
  server.app.db.tx(orgId, (tx) => grantIncluded(server.app, tx, { orgId, amountMinor, ref: cause, cause }))
const balancesOf = ({ orgId }: Person) => readBalances(server.app.db.direct, orgId)

/** The verdict of the database, without the checks of the application. */
async function verdictOf(op: WalletOp): Promise<string | undefined> {
  const [result] = await applyOps(server.app.db, [op], server.clock.now(), {})
  return result?.verdict
}

describe('a credit', () => {
  test('of a cause that was posted before posts nothing, in the same or another wallet', async () => {
    const [ada, ben] = [await owner(), await owner()]
    expect(await creditWallet(ada.orgId, 70n, 'paid once')).toMatchObject({ postedMinor: 70n })
    for (const { orgId } of [ada, ben])
      expect(await creditWallet(orgId, 70n, 'paid once')).toMatchObject({ entryId: null, postedMinor: 0n })
    expect(await balancesOf(ada)).toMatchObject({ balanceMinor: 70n })
    expect(await balancesOf(ben)).toMatchObject({ balanceMinor: 0n })
  })

  test('must be positive and within the limit', async () => {
    const payer = await owner(10n)
    for (const amountMinor of [0n, -5n])
      await expect(creditWallet(payer.orgId, amountMinor)).rejects.toThrow('a credit must be positive')
    await expect(creditWallet(payer.orgId, 4_000_000_000_000_000_000n)).rejects.toMatchObject({
      code: 'wallet_full',
    })
    const op = { ...opOf(payer.orgId), kind: 'credit' as const }
    for (const amount of [0n, -5n, 4_000_000_000_000_000_000n])
      expect(await verdictOf({ ...op, amount })).toBe('too_much')
    expect(await balancesOf(payer)).toMatchObject({ balanceMinor: 10n })
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
  test('takes the whole amount or nothing', async () => {
    const payer = await owner(100n)
    expect(await debitWallet(payer.orgId, 101n)).toMatchObject({ entryId: null, postedMinor: 0n })
    expect(await debitWallet(payer.orgId, 100n)).toMatchObject({
      postedMinor: 100n,
      balances: { balanceMinor: 0n },
    })
  })

  test('with leastMinor takes the free balance from that minimum on, never held money', async () => {
    const payer = await owner(100n, 500n)
    await holdSome(server, payer, 560n)
    expect(await debitWallet(payer.orgId, 100n, { leastMinor: 41n })).toMatchObject({ postedMinor: 0n })
    expect(await debitWallet(payer.orgId, 100n, { leastMinor: 40n })).toMatchObject({
      postedMinor: 40n,
      balances: { balanceMinor: 60n, heldMinor: 60n, availableMinor: 0n },
    })
  })

  test('must be positive', async () => {
    const payer = await owner(100n)
    for (const amountMinor of [0n, -5n])
      await expect(debitWallet(payer.orgId, amountMinor)).rejects.toThrow('a debit must be positive')
    const op = { ...opOf(payer.orgId), kind: 'debit' as const, least: -9n }
    for (const amount of [0n, -5n]) expect(await verdictOf({ ...op, amount })).toBe('insufficient')
    expect(await balancesOf(payer)).toMatchObject({ balanceMinor: 100n })
  })
})

describe('an allowance', () => {
  test('replaces the rest of the previous one and keeps its holds', async () => {
    const payer = await owner(0n, 500n)
    const holdId = await holdSome(server, payer, 200n)
    expect(await balancesOf(payer)).toMatchObject({ includedRemainingMinor: 300n })
    expect((await grant(payer.orgId, 1000n)).balances.includedRemainingMinor).toBe(1000n)
    const { balances: after } = await release(server.app, { orgId: payer.orgId, holdId })
    expect(after).toMatchObject({ includedRemainingMinor: 1000n, balanceMinor: 0n })
  })

  test('gets the unused part of a hold back when the work ends before the next grant', async () => {
    const payer = await owner(0n, 500n)
    await grant(payer.orgId, 600n)
    const holdId = await holdSome(server, payer, 200n)
    const input = { orgId: payer.orgId, holdId, amountMinor: 50n, usage: null }
    expect((await settle(server.app, input)).balances.includedRemainingMinor).toBe(550n)
  })

  test('is granted once per cause, even if it changed nothing', async () => {
    const payer = await owner(1000n, 500n)
    expect((await grant(payer.orgId, 500n, 'the month')).entryId).not.toBeNull()
    await holdSome(server, payer, 300n)
    expect(await grant(payer.orgId, 500n, 'the month')).toMatchObject({
      entryId: null,
      balances: { includedRemainingMinor: 200n },
    })
  })

  test('must not be negative and must be within the limit', async () => {
    const payer = await owner(0n, 500n)
    await expect(grant(payer.orgId, -1n)).rejects.toThrow('an allowance must not be negative')
    await expect(grant(payer.orgId, 1_000_000_000_000_000_001n)).rejects.toMatchObject({
      code: 'wallet_full',
    })
    const { account: _, ...op } = opOf(payer.orgId)
    for (const amount of [-1n, 1_000_000_000_000_000_001n])
      expect(await verdictOf({ ...op, kind: 'grant', source: 'subscription', amount })).toBe('too_much')
    expect((await grant(payer.orgId, 0n)).balances.includedRemainingMinor).toBe(0n)
  })
})

describe('concurrent operations', () => {
  const creditTo = (orgId: OrgId): WalletOp => ({ ...opOf(orgId), kind: 'credit', amount: 1n })
  const send = (ops: WalletOp[]) => applyOps(server.app.db, ops, server.clock.now(), {})

  test('on one wallet are applied one after the other', async () => {
    const payer = await owner()
    await Promise.all(Array.from({ length: 40 }, () => send([creditTo(payer.orgId)])))
    expect(await balancesOf(payer)).toMatchObject({ balanceMinor: 40n })
  })

  test('on several wallets never deadlock', async () => {
    const people = [await owner(), await owner(), await owner()]
    const batch = (isReversed: boolean) =>
      (isReversed ? people.toReversed() : people).map(({ orgId }) => creditTo(orgId))
    await Promise.all(Array.from({ length: 40 }, (_, i) => send(batch(i % 2 === 0))))
    for (const payer of people) expect(await balancesOf(payer)).toMatchObject({ balanceMinor: 40n })
  })
})

test('the previous release can still post during a rollout', async () => {
  const payer = await owner()
  const op = { n: 0, ...opOf(payer.orgId), kind: 'credit', amount: 5n }
  const verdicts = await server.app.db.direct.rows`
    select verdict from wallet_apply(${json([op])}, ${server.clock.now()}, ${0n})`
  expect(verdicts).toEqual([{ verdict: 'moved' }])
  await server.app.db.direct.rows`select wallet_set_threshold(${payer.orgId}, ${7n}, ${0n})`
  expect(await balancesOf(payer)).toMatchObject({ balanceMinor: 5n })
})
