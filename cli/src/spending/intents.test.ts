import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CowrieError } from '@cowrie/sdk'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { thisMachine } from '../system/machine.ts'
import { intentOf, type Payer } from './intents.ts'

let state: string
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'cowrie-sent-'))
})
afterEach(() => rmSync(state, { recursive: true, force: true }))

const ADA = { userId: 'usr_ada', orgId: 'org_ada' }
const NOW = new Date('2026-11-16T09:00:00Z')
function intent(
  about: unknown,
  {
    now = NOW,
    key,
    place = state,
    payer = ADA,
  }: { now?: Date; key?: string; place?: string | null; payer?: Payer } = {},
) {
  const paths = { cwd: '/', config: null, cache: null, repository: null, state: place }
  const machine = { ...thisMachine, now: () => now }
  const values = key === undefined ? {} : { 'idempotency-key': key }
  return intentOf({ baseUrl: 'http://cowrie.test', paths, values, machine }, payer, 'chat', about)
}
const refused = (status: number, code: string) => new CowrieError({ status, code, message: 'x' })

test('a repeated intent has the key and price of the first time, until its outcome is known', async () => {
  const sent = await intent({ prompt: 'a' }).begin(500n, 'msg_1')
  expect(await intent({ prompt: 'a' }).begin(900n)).toMatchObject(sent)
  expect((await intent({ prompt: 'b' }).begin(900n)).key).not.toBe(sent.key)
  intent({ prompt: 'a' }).settle()
  const fresh = await intent({ prompt: 'a' }).begin(900n)
  expect([fresh.maxMinor, fresh.key === sent.key]).toEqual([900n, false])
})

test.for([
  { it: 'another organisation', payer: { ...ADA, orgId: 'org_other' } },
  { it: 'another member of the organisation', payer: { ...ADA, userId: 'usr_ben' } },
])('an intent is not continued for $it', async ({ payer }) => {
  await intent('a').begin(500n)
  expect(intent('a', { payer }).before).toBeNull()
})

test('the request itself is not stored, and only its owner can read the record', async () => {
  await intent({ prompt: 'my secret plan' }).begin(1n)
  const [name = ''] = readdirSync(join(state, 'sent'))
  const path = join(state, 'sent', name)
  expect(readFileSync(path, 'utf8')).not.toContain('secret')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('after most of a day it is a new intent, because the service also forgets keys', async () => {
  await intent('a').begin(1n)
  expect(intent('a', { now: new Date('2026-11-17T04:00:00Z') }).before).not.toBeNull()
  expect(intent('a', { now: new Date('2026-11-17T06:00:00Z') }).before).toBeNull()
})

test.for([
  [402, 'insufficient_funds', true],
  [409, 'price_changed', true],
  [400, 'invalid_fields', true],
  [409, 'idempotency_in_progress', false],
  [429, 'rate_limited', false],
  [401, 'unauthorized', false],
  [502, 'upstream_failed', false],
  [0, 'stream_cut', false],
  [404, 'malformed_reply', false],
  [400, 'malformed_reply', false],
] as const)('a failure with %i %s settles it: %s', async ([status, code, isSettled]) => {
  await intent('a').begin(1n)
  intent('a').settleAfter(refused(status, code))
  expect(intent('a').before === null).toBe(isSettled)
})

test('a given key is used, if it can be stored', async () => {
  expect((await intent('a', { key: 'mine' }).begin(1n)).key).toBe('mine')
  expect(() => intent('a', { key: 'with blank' })).toThrow('visible ASCII')
  expect(() => intent('a', { place: null })).toThrow('no state folder')
})
