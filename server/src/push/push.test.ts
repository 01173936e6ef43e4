// Notifications from their real facts: top-ups and turns of tasks, to browsers on a fake push service.
import { type FakeBrowser, type PushService, startPushService } from '@cowrie/testkit/fakes/push-service.ts'
import type { Person, Reply, Visitor } from '@cowrie/testkit/harness/harness.ts'
import { topUp, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { byStep, calls, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { notify } from './push.ts'
import { vapidKey } from './vapid.ts'

const KINDS = ['paid', 'task_finished', 'needs_approval']
const PATH = '/me/push-subscriptions'
type Saved = {
  subscription: { id: string } & Record<string, unknown>
  fields?: { path: string; message: string }[]
}
type Listed = { publicKey: string | null; subscriptions: Record<string, unknown>[] }

let world: TaskWorld
let service: PushService
let ada: Person
beforeAll(async () => {
  service = await startPushService()
  world = await startTaskWorld()
})
afterAll(async () => {
  await world.close()
  await service.close()
})
beforeEach(async () => {
  world.upstream.reset()
  ada = await world.customer()
})

/** A browser where the person is signed in. */
async function signIn({ email }: Person): Promise<Visitor> {
  const visitor = world.server.visitor()
  await visitor.call('POST', '/auth/dev-login', { body: { email } })
  return visitor
}
const bodyOf = ({ endpoint, keys }: FakeBrowser, more: object = {}) => ({
  endpoint,
  keys,
  kinds: KINDS,
  ...more,
})
const save = (visitor: Visitor, body: object): Promise<Reply<Saved>> =>
  visitor.call<Saved>('POST', PATH, { body })
const listOf = async (visitor: Visitor) => (await visitor.call<Listed>('GET', PATH)).body

async function subscribe(person: Person, more: object = {}) {
  const [browser, visitor] = [service.browser(), await signIn(person)]
  const { status, body, text } = await save(visitor, bodyOf(browser, more))
  expect(status, text).toBe(201)
  return { browser, visitor, id: body.subscription.id }
}
async function pay(person: Person): Promise<string> {
  const { body } = await topUp(world.server, person, { amountMinor: 500_000n, channel: 'card' })
  await verify(world.server, person, body.reference)
  return body.reference
}
const send = () => world.server.app.jobs.drain()
const textsOf = ({ received }: FakeBrowser) => received.map(({ text }) => text)
const stored = async (table: 'push_messages' | 'push_deliveries') =>
  (
    await (table === 'push_messages'
      ? world.server.sql.rows`select 1 from push_messages where org_id = ${ada.orgId}`
      : world.server.sql.rows`select 1 from push_deliveries where org_id = ${ada.orgId}`)
  ).length

test('a top-up notifies the payer with the amount, and nothing stays stored', async () => {
  const { browser } = await subscribe(ada, { language: 'fr' })
  const { browser: other } = await subscribe(await world.customer())
  const reference = await pay(ada)
  expect(browser.received).toEqual([])
  await send()
  expect(textsOf(browser)).toEqual([
    {
      title: 'Votre portefeuille a été crédité de ₦5\u202f000,00',
      body: 'Cowrie',
      url: '/app/wallet',
      tag: reference,
      lang: 'fr',
    },
  ])
  expect(other.received).toEqual([])
  const [push] = browser.received
  expect(push?.claims).toMatchObject({ aud: service.url, sub: 'mailto:dev@localhost' })
  expect(push?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'normal', ttl: '86400' })
  expect(push?.bytes.toString('latin1')).not.toContain('5,000')
  expect([await stored('push_messages'), await stored('push_deliveries')]).toEqual([0, 0])
})

test('a finished task and a needed approval name the task without secrets', async () => {
  const { browser } = await subscribe(ada)
  const workflow = { path: '.github/workflows/ci.yml', content: 'on: push\n' }
  world.upstream.fallback(byStep('All done.', calls(['create', workflow]), 'Done.'))
  const key = `sk_live_${'a1B2c3D4'.repeat(4)}`
  const task = await world.create(ada, { 'a.js': '' }, { title: `Rotate ${key} everywhere` })
  await world.turn(ada, task)
  await send()
  const [finished] = textsOf(browser)
  expect(finished).toMatchObject({ url: `/app/tasks/${task}`, tag: task, lang: 'en' })
  expect(finished?.body).toMatch(/^The task is finished\. It cost ₦\d+\.\d\d\.$/)
  expect(finished?.title).toMatch(/^Rotate .+ everywhere$/)
  expect(finished?.title).not.toContain('sk_live_a1B2')
  await world.turn(ada, task)
  await send()
  expect(textsOf(browser)[1]?.body).toBe('The task needs your approval to continue.')
  expect(browser.received[1]?.headers.urgency).toBe('high')
})

test('a browser gets only the kinds it chose, and saving again replaces them', async () => {
  const { browser, visitor } = await subscribe(ada, { kinds: ['task_finished'] })
  await pay(ada)
  expect(await stored('push_messages')).toBe(0)
  await save(visitor, bodyOf(browser, { kinds: ['paid'], language: 'sw' }))
  const { subscriptions } = await listOf(visitor)
  expect(subscriptions).toEqual([
    {
      id: expect.stringMatching(/^psh_/),
      host: new URL(service.url).host,
      kinds: ['paid'],
      language: 'sw',
      isThisSession: true,
      createdAt: expect.any(String),
    },
  ])
  await pay(ada)
  await send()
  expect(textsOf(browser)).toMatchObject([{ title: 'Pochi yako imewekwa ₦5,000.00' }])
})

test('failures are retried with growing pauses, and Retry-After is respected', async () => {
  const { browser } = await subscribe(ada)
  browser.answer(503, 'reset', { status: 429, headers: { 'retry-after': '1200' } }, 201)
  await pay(ada)
  await send()
  for (const [seconds, seen] of [
    [29, 1],
    [1, 2],
    [120, 3],
    [600, 3],
    [600, 4],
  ] as const) {
    world.server.clock.advance({ seconds })
    await send()
    expect(browser.calls()).toBe(seen)
  }
  expect(textsOf(browser)).toHaveLength(1)
})

test('a push service that keeps failing is given up, and the browser stays', async () => {
  const { browser, visitor } = await subscribe(ada)
  browser.answer(500)
  await pay(ada)
  for (let round = 0; round < 8; round++) {
    await send()
    world.server.clock.advance({ hours: 2 })
  }
  expect(browser.calls()).toBe(6)
  expect(await stored('push_messages')).toBe(0)
  expect((await listOf(visitor)).subscriptions).toHaveLength(1)
})

test.for([404, 410])('%i removes the browser', async (status) => {
  const { browser, visitor } = await subscribe(ada)
  browser.answer(status)
  await pay(ada)
  await send()
  expect((await listOf(visitor)).subscriptions).toEqual([])
  expect(await stored('push_messages')).toBe(0)
})

test('a rejected message is logged and counted, and not repeated', async () => {
  const { browser, visitor } = await subscribe(ada)
  browser.answer(413)
  await pay(ada)
  await send()
  expect(world.server.logged.some((line) => line.includes('push.message.rejected'))).toBe(true)
  expect(await world.server.app.metrics.exposition()).toMatch(
    /push_messages_total\{kind="paid",outcome="rejected"\} 1/,
  )
  expect((await listOf(visitor)).subscriptions).toHaveLength(1)
  world.server.clock.advance({ hours: 3 })
  await send()
  expect(browser.calls()).toBe(1)
})

test('signing out, here or everywhere, ends the notifications of those browsers', async () => {
  const here = await subscribe(ada)
  const there = await subscribe(ada)
  await here.visitor.call('POST', '/auth/logout', { body: {} })
  expect((await listOf(there.visitor)).subscriptions).toHaveLength(1)
  const third = await subscribe(ada)
  await pay(ada)
  // Stored for two browsers, sent to the one that is still signed in.
  const everywhere = await third.visitor.call('DELETE', '/me/sessions')
  expect(everywhere.status, everywhere.text).toBe(200)
  await send()
  expect([here, there, third].map(({ browser }) => browser.calls())).toEqual([0, 0, 1])
})

test('an expired session gets nothing', async () => {
  const { browser } = await subscribe(ada)
  await world.server.sql.rows`
    update sessions set expires_at = ${world.server.clock.now()} where user_id = ${ada.userId}`
  await pay(ada)
  await send()
  expect(browser.calls()).toBe(0)
})

test('a person who left the organisation gets nothing from it', async () => {
  const team = await world.server.person({ type: 'team' })
  const member = await world.server.member(team.orgId, 'admin')
  const { browser } = await subscribe(member)
  const { body } = await topUp(world.server, member, { amountMinor: 500_000n, channel: 'card' })
  await verify(world.server, team, body.reference)
  await world.server.sql
    .rows`delete from memberships where user_id = ${member.userId} and org_id = ${team.orgId}`
  await send()
  expect(browser.calls()).toBe(0)
})

test('an organisation that requires single sign-on notifies only browsers that its provider signed in', async () => {
  const plain = await subscribe(ada)
  const bySso = await subscribe(ada)
  const { sql } = world.server
  await sql.rows`update orgs set sso_required = true where id = ${ada.orgId}`
  await sql.rows`
    update sessions set sso_org_id = ${ada.orgId}
    where id = (select session_id from push_subscriptions where id = ${bySso.id})`
  await pay(ada)
  await send()
  expect([plain, bySso].map(({ browser }) => browser.calls())).toEqual([0, 1])
  // The browser stays for the other organisations of the person.
  expect(await sql.rows`select 1 from push_subscriptions where id = ${plain.id}`).toHaveLength(1)
})

test('an endpoint moves to the person who signs in with that browser', async () => {
  const { browser, visitor } = await subscribe(ada)
  const bola = await world.customer()
  await save(await signIn(bola), bodyOf(browser))
  expect((await listOf(visitor)).subscriptions).toEqual([])
  await pay(ada)
  await send()
  expect(browser.calls()).toBe(0)
})

test('the eleventh browser replaces the oldest, and a browser can be removed once', async () => {
  const visitor = await signIn(ada)
  for (let n = 0; n < 11; n++) await save(visitor, bodyOf(service.browser()))
  const { subscriptions } = await listOf(visitor)
  expect(subscriptions).toHaveLength(10)
  const path = `${PATH}/${subscriptions[0]?.id}`
  expect((await visitor.call('DELETE', path)).status).toBe(200)
  expect((await visitor.call('DELETE', path)).status).toBe(404)
})

test('bad endpoints and keys are refused by field', async () => {
  const visitor = await signIn(ada)
  const browser = service.browser()
  const fieldOf = async (more: object) => {
    const { status, body } = await save(visitor, bodyOf(browser, more))
    return [status, body.fields?.[0]?.path]
  }
  expect(await fieldOf({ endpoint: 'https://10.0.0.1/push' })).toEqual([400, 'endpoint'])
  expect(await fieldOf({ endpoint: 'http://push.example.com/1' })).toEqual([400, 'endpoint'])
  expect(await fieldOf({ keys: { ...browser.keys, auth: 'AAAA' } })).toEqual([400, 'keys.auth'])
  expect(await fieldOf({ keys: { ...browser.keys, p256dh: 'AAAA' } })).toEqual([400, 'keys.p256dh'])
  expect(await fieldOf({ kinds: [] })).toEqual([400, 'kinds'])
  expect(await fieldOf({ kinds: ['paid', 'paid'] })).toEqual([400, 'kinds'])
  expect(await fieldOf({ language: 'de' })).toEqual([400, 'language'])
})

test('changes and messages of a person are limited', async () => {
  const { browser, visitor } = await subscribe(ada)
  const { orgId, userId } = ada
  const data = {
    kind: 'paid',
    reference: 'top_1',
    purpose: 'topup',
    amountMinor: 1n,
    currency: 'NGN',
  } as const
  await world.server.app.db.tx(orgId, async (tx) => {
    for (let n = 0; n < 61; n++) await notify(tx, { orgId, userId, data })
  })
  await send()
  expect(browser.calls()).toBe(60)
  const replies = await Promise.all(
    Array.from({ length: 60 }, () => visitor.call('DELETE', `${PATH}/psh_${'0'.repeat(26)}`)),
  )
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(1)
})

test('all replicas and restarts use the same generated key', async () => {
  const [first, second] = await Promise.all([vapidKey(world.server.app), vapidKey(world.server.app)])
  expect(first).toEqual(second)
  expect((await listOf(await signIn(ada))).publicKey).toBe(first?.publicKey)
  const { sealed } = await world.server.sql.one<{
    sealed: string
  }>`select private_sealed as sealed from push_keys`
  expect(sealed).not.toContain(first?.privateKey)
})

test('in production there are no notifications without a configured key', async () => {
  const { app } = world.server
  const production = { ...app, config: { ...app.config, environment: 'production' as const, vapid: null } }
  expect(await vapidKey(production)).toBeNull()
})
