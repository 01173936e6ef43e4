import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError, type ErrorCode } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { RENEW_MS } from '../../../kernel/lease.ts'
import type { Tx } from '../../db/tx.ts'
import { createLog } from '../../log/log.ts'
import { type Claim, claim, isFinalError, isReplay, startLeaseRenewal } from './idempotency.ts'

let testDb: TestDb
beforeAll(async () => {
  testDb = await openTestDb()
})
afterAll(() => testDb.close())

const intent = {
  userId: newId('usr'),
  orgId: newId('org'),
  route: 'admin.payments.resolve',
  key: 'one',
  params: { reference: 'tp1' } as unknown,
  body: { decision: 'credit' } as unknown,
  isContent: false,
}
const encode = (reply: unknown) => ({
  status: 200,
  contentType: 'application/json',
  text: JSON.stringify(reply),
})

async function claimed(rest: Partial<typeof intent>): Promise<Claim> {
  const found = await claim(testDb.db, testDb.clock, { ...intent, ...rest }, 15, encode)
  if (found === 'detached' || isReplay(found)) throw new Error('it was begun before')
  return found
}

test.for<[string, Partial<typeof intent>]>([
  ['in another organisation', { orgId: newId('org') }],
  ['with other parameters', { params: { reference: 'tp2' } }],
  ['with another body', { body: { decision: 'reject' } }],
])('a key that is reused %s is rejected, while it is free and when it is finished', async ([key, rest]) => {
  const first = await claimed({ key })
  await first.release()
  await expect(claimed({ key, ...rest })).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  const second = await claimed({ key })
  await second.once.commit('platform', async () => ({ ok: true }))
  await expect(claimed({ key, ...rest })).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  expect(await claim(testDb.db, testDb.clock, { ...intent, key }, 15, encode)).toMatchObject({
    status: 200,
    body: '{"ok":true}',
  })
})

test('two users with the same key each receive their own outcome', async () => {
  const people = [newId('usr'), newId('usr')]
  for (const userId of people) {
    const { once } = await claimed({ key: 'shared', userId })
    await once.commit('platform', async () => ({ of: userId }))
  }
  for (const userId of people)
    expect(
      await claim(testDb.db, testDb.clock, { ...intent, key: 'shared', userId }, 15, encode),
    ).toMatchObject({
      body: JSON.stringify({ of: userId }),
    })
})

test('a key with an earlier attempt keeps its reference when a retry is forgotten', async () => {
  const begun = await claimed({ key: 'begun' })
  await begun.release()
  await (await claimed({ key: 'begun' })).forget()
  expect((await claimed({ key: 'begun' })).once.id).toBe(begun.once.id)

  const fresh = await claimed({ key: 'fresh' })
  await fresh.forget()
  expect((await claimed({ key: 'fresh' })).once.id).not.toBe(fresh.once.id)
})

test('a caller that lost its key neither finishes nor frees it', async () => {
  const late = await claimed({ key: 'lost' })
  testDb.clock.advance({ minutes: 16 })
  const now = await claimed({ key: 'lost' })
  await late.storeError(404, '{}')
  await late.release()
  await late.forget()
  await expect(claimed({ key: 'lost' })).rejects.toMatchObject({ code: 'idempotency_in_progress' })
  await expect(late.once.commit('platform', async () => 1)).rejects.toMatchObject({
    code: 'idempotency_in_progress',
  })
  await now.once.commit('platform', async () => 2)
})

test('the effect of a caller that lost its key is rolled back with its commit', async () => {
  const late = await claimed({ key: 'late' })
  const other = await claimed({ key: 'effect' })
  testDb.clock.advance({ minutes: 16 })
  const now = await claimed({ key: 'late' })
  const detached = () =>
    testDb.sql.rows`select 1 from idempotency_keys where key = 'effect' and detached_at is not null`
  const effect = (tx: Tx) =>
    tx.rows`update idempotency_keys set detached_at = ${tx.now} where id = ${other.once.id}`
  await expect(late.once.commit('platform', effect)).rejects.toMatchObject({
    code: 'idempotency_in_progress',
  })
  expect(await detached()).toHaveLength(0)
  await now.once.commit('platform', effect)
  expect(await detached()).toHaveLength(1)
})

test('concurrent calls claim different keys together, and a key that they share once', async () => {
  const rows = vi.spyOn(testDb.db.direct, 'rows')
  onTestFinished(() => rows.mockRestore())
  const keys = Array.from({ length: 40 }, (_, n) => `together-${n % 38}`)
  const found = await Promise.allSettled(keys.map((key) => claimed({ key })))
  // Either call of a shared key may be first.
  const claimedKeys = keys.filter((_, n) => found[n]?.status === 'fulfilled')
  expect(claimedKeys.sort()).toEqual([...new Set(keys)].sort())
  const inProgress = { reason: { code: 'idempotency_in_progress' } }
  expect(found.filter(({ status }) => status === 'rejected')).toMatchObject([inProgress, inProgress])
  expect(rows.mock.calls.length).toBeLessThanOrEqual(4)
})

describe('the lease of a running record', () => {
  afterEach(() => vi.useRealTimers())

  test('allows a takeover 20 s after the last renewal, and returns the remaining time before', async () => {
    const silent = await claimed({ key: 'silent' })
    for (const [seconds, left] of [
      [1, 19],
      [14, 5],
      [4.5, 1],
    ] as const) {
      testDb.clock.advance({ seconds })
      await expect(claimed({ key: 'silent' })).rejects.toMatchObject({
        code: 'idempotency_in_progress',
        retryAfter: left,
      })
    }
    testDb.clock.advance({ seconds: 0.5 })
    const next = await claimed({ key: 'silent' })
    expect(next.once).toMatchObject({ id: silent.once.id, attempt: 2 })
    await expect(silent.once.commit('platform', async () => 1)).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    })
    await next.once.commit('platform', async () => 2)
  })

  test('never exceeds the stale limit', async () => {
    await claimed({ key: 'bounded' })
    await testDb.sql.rows`
      update idempotency_keys set lease_until = lease_until + interval '1 day' where key = 'bounded'`
    testDb.clock.advance({ minutes: 14, seconds: 58 })
    await expect(claimed({ key: 'bounded' })).rejects.toMatchObject({ retryAfter: 2 })
    testDb.clock.advance({ seconds: 3 })
    expect((await claimed({ key: 'bounded' })).once.attempt).toBe(2)
  })

  test('is renewed with all others of its process in one statement, and none is sent while nothing runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const db = testDb.openReplica()
    const statements = vi.spyOn(db.direct, 'rows')
    onTestFinished(() => statements.mockRestore())
    const stop = startLeaseRenewal(db, testDb.clock, createLog({ level: 'silent' }))
    const leasesOf = () => testDb.sql.rows<{ key: string; lease_until: Date }>`
      select key, lease_until from idempotency_keys where key like 'renewed-%' order by key`
    const own = async (key: string) => {
      const found = await claim(db, testDb.clock, { ...intent, key }, 15, encode)
      if (found === 'detached' || isReplay(found)) throw new Error('it was begun before')
      return found
    }
    vi.advanceTimersByTime(RENEW_MS)
    expect(statements).not.toHaveBeenCalled()
    const [first, second] = [await own('renewed-1'), await own('renewed-2')]
    statements.mockClear()
    testDb.clock.advance({ seconds: 19 })
    vi.advanceTimersByTime(RENEW_MS)
    const renewed = new Date(testDb.clock.now().getTime() + 20_000)
    await expect
      .poll(leasesOf)
      .toEqual(['renewed-1', 'renewed-2'].map((key) => ({ key, lease_until: renewed })))
    expect(statements).toHaveBeenCalledTimes(1)
    await first.once.commit('platform', async () => 1)
    await second.release()
    statements.mockClear()
    vi.advanceTimersByTime(RENEW_MS * 3)
    expect(statements).not.toHaveBeenCalled()
    stop()
  })
})

test('only a final error is stored', () => {
  const isStored = (['insufficient_funds', 'not_found', 'refund_exceeds_captured'] as const).map((code) =>
    isFinalError(new ApiError(code)),
  )
  expect(isStored).toEqual([true, true, true])
  const passing = [
    'invalid_fields',
    'forbidden',
    'idempotency_in_progress',
    'card_challenged',
    'busy',
    'internal',
  ]
  for (const code of passing as ErrorCode[]) expect(isFinalError(new ApiError(code)), code).toBe(false)
})
