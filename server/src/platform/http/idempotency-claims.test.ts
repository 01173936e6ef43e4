import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDb, type TestDb } from '../../../test/harness.ts'
import { ApiError, type ErrorCode } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { type Claim, claim, isReplay, isStoredRefusal } from './idempotency.ts'

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
  ['about another thing', { params: { reference: 'tp2' } }],
  ['with other words', { body: { decision: 'reject' } }],
])(
  'a key that is shown again %s stands for something else, while it is free and when it is done',
  async ([key, rest]) => {
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
  },
)

test('two people with one key are each answered with their own outcome', async () => {
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

test('a key under which something was begun keeps its reference when a retry is forgotten', async () => {
  const begun = await claimed({ key: 'begun' })
  await begun.release()
  await (await claimed({ key: 'begun' })).forget()
  expect((await claimed({ key: 'begun' })).once.id).toBe(begun.once.id)

  const fresh = await claimed({ key: 'fresh' })
  await fresh.forget()
  expect((await claimed({ key: 'fresh' })).once.id).not.toBe(fresh.once.id)
})

test('who lost a key to another neither ends nor frees it', async () => {
  const late = await claimed({ key: 'lost' })
  testDb.clock.advance({ minutes: 16 })
  const now = await claimed({ key: 'lost' })
  await late.refuse(404, '{}')
  await late.release()
  await late.forget()
  await expect(claimed({ key: 'lost' })).rejects.toMatchObject({ code: 'idempotency_in_progress' })
  await expect(late.once.commit('platform', async () => 1)).rejects.toMatchObject({
    code: 'idempotency_in_progress',
  })
  await now.once.commit('platform', async () => 2)
})

test('a refusal on the merits is remembered, and no other', () => {
  const isStored = (['insufficient_funds', 'not_found', 'refund_exceeds_captured'] as const).map((code) =>
    isStoredRefusal(new ApiError(code)),
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
  for (const code of passing as ErrorCode[]) expect(isStoredRefusal(new ApiError(code)), code).toBe(false)
})
