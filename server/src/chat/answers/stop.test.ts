// Answers that end early, over real sockets: disconnects, stop requests, provider failures and shutdown.

import {
  type ChatStream,
  createThread,
  deltasOf,
  openChatStream,
  readFunds,
  readThread,
  type Thread,
} from '@cowrie/testkit/chat/chat.ts'
import { type FakeUpstream, gate, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { placeInSchema } from '@cowrie/testkit/platform/placement-fixtures.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { costOf, priceOf } from '../../metering/metering.ts'

const SCHEDULES = ['chat.', 'wallet.', 'metering.']

let upstream: FakeUpstream
let server: TestServer
let replica: TestServer
let base: string
let ada: Person
let thread: Thread

beforeAll(async () => {
  upstream = await startFakeUpstream()
  server = await startTestServer({
    schedules: SCHEDULES,
    variables: { SERVICE_UPSTREAM_BASE_URL: upstream.url, SERVICE_UPSTREAM_OPEN_MODEL: 'small-1' },
  })
  replica = await startTestServer({ schedules: SCHEDULES, url: server.url, clock: server.clock })
  base = await server.listen()
  // Initialises the schedules, so that they have a next run.
  await server.app.jobs.drain()
})
beforeEach(async () => {
  upstream.reset()
  ada = await server.person()
  await giveCredit(server, ada.orgId, 100_000n)
  thread = await createThread(server, ada)
})
afterAll(async () => {
  await replica.close()
  await server.close()
  await upstream.close()
})

const prompt = 'Tell me a long story'
const stop = (on = server) => on.call('POST', `/chat/threads/${thread.id}/stop`, { as: ada, body: {} })
const ended = async () => {
  await expect.poll(async () => (await readThread(server, ada, thread)).busy).toBe(false)
  return (await readThread(server, ada, thread)).messages.at(-1)
}
const hasReceived = (call: ChatStream, words: string) =>
  expect.poll(() => deltasOf(call.frames), { interval: 5 }).toBe(words)

const text = (words: string) => Object.assign([words], { raw: [words] })

/** A model that sends two chunks and then waits. */
function startStory(...more: string[]) {
  const held = gate()
  upstream.script({ pieces: ['Once upon ', 'a time', held.opened, ...more] })
  return held
}

/** Usage was charged once, and nothing is held. */
async function expectPaid(costMinor: bigint | undefined) {
  const points = await server.sql.rows<{ tokens: bigint; cost: bigint }>`
    select tokens, cost_minor as cost from usage_points where org_id = ${ada.orgId}`
  expect(points).toHaveLength(1)
  expect(points[0]?.cost).toBe(costOf(priceOf(server.app, 'open', 'NGN'), Number(points[0]?.tokens)))
  expect(costMinor).toBe(points[0]?.cost)
  expect(await readFunds(server, ada)).toMatchObject({
    balanceMinor: 100_000n - (costMinor ?? 0n),
    heldMinor: 0n,
  })
}

async function expectFree() {
  expect(await readFunds(server, ada)).toMatchObject({ balanceMinor: 100_000n, heldMinor: 0n })
  expect(await server.sql.rows`select id from usage_points where org_id = ${ada.orgId}`).toEqual([])
}

describe('a client that disconnects', () => {
  test('without a key stops the answer: the partial text is stored and charged, and the model call is aborted', async () => {
    startStory(' there was')
    const call = await openChatStream(base, ada, thread, { prompt })
    await hasReceived(call, 'Once upon a time')
    await call.disconnect()
    const answer = await ended()
    expect(answer).toMatchObject({ content: 'Once upon a time', status: 'stopped', model: 'small-1' })
    await expectPaid(answer?.costMinor)
    await expect.poll(() => upstream.aborted).toBe(1)
  })

  test('before the first token pays nothing', async () => {
    upstream.script({ pieces: ['never'], hangAfter: 0 })
    const call = await openChatStream(base, ada, thread, { prompt })
    await expect.poll(() => upstream.open).toBe(1)
    await call.disconnect()
    expect(await ended()).toMatchObject({ content: '', status: 'stopped', costMinor: 0n })
    await expectFree()
  })

  test('with a key gets the whole answer on every retry, and pays once', async () => {
    const held = startStory(' there was')
    const call = await openChatStream(base, ada, thread, { prompt }, 'kept')
    await hasReceived(call, 'Once upon a time')
    const busy = await server.call('POST', `/chat/threads/${thread.id}/messages`, {
      as: ada,
      body: { prompt },
      headers: { 'idempotency-key': 'kept' },
    })
    expect(busy).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } })
    await call.disconnect()
    await expect
      .poll(
        () => server.sql.rows`select 1 from idempotency_keys where key = 'kept' and detached_at is not null`,
      )
      .toHaveLength(1)
    const back = await openChatStream(base, ada, thread, { prompt }, 'kept')
    held.open()
    const last = await back.ended
    expect(back.replayed).toBe(true)
    expect(last.message).toMatchObject({ content: 'Once upon a time there was', status: 'complete' })
    const again = await openChatStream(base, ada, thread, { prompt }, 'kept')
    await again.ended
    expect(again.text).toBe(back.text)
    expect(upstream.requests).toHaveLength(1)
    expect(await readThread(server, ada, thread)).toMatchObject({
      messages: [{ role: 'user' }, last.message],
    })
    await expectPaid(last.costMinor)
  })
})

describe('a stop request', () => {
  test('through another replica stops the answer and sends the last frame to the client', async () => {
    startStory(' there was')
    const call = await openChatStream(base, ada, thread, { prompt }, 'stopped')
    await hasReceived(call, 'Once upon a time')
    expect(await stop(replica)).toMatchObject({ status: 200, body: { ok: true, stopped: true } })
    const last = await call.ended
    expect(last).toMatchObject({
      message: { content: 'Once upon a time', status: 'stopped' },
      finish: 'stopped',
    })
    await expectPaid(last.costMinor)
    await expect.poll(() => upstream.aborted).toBe(1)
    const replay = await openChatStream(base, ada, thread, { prompt }, 'stopped')
    expect(await replay.ended).toEqual(last)
    expect(await stop()).toMatchObject({ body: { ok: true, stopped: false } })
  })

  test('stops an answer without a connected client', async () => {
    startStory()
    const call = await openChatStream(base, ada, thread, { prompt }, 'alone')
    await hasReceived(call, 'Once upon a time')
    await call.disconnect()
    await stop()
    expect(await ended()).toMatchObject({ content: 'Once upon a time', status: 'stopped' })
  })

  test.for(isSoak ? ['shared', 'schema'] : ['schema'])(
    'works within a second without its notification, and the lease is renewed until then (%s)',
    async (place) => {
      if (place === 'schema') await placeInSchema(server, ada.orgId)
      thread = await createThread(server, ada)
      startStory()
      const call = await openChatStream(base, ada, thread, { prompt })
      await hasReceived(call, 'Once upon a time')
      server.clock.advance({ minutes: 1 })
      const asked = await server.app.db.tx(
        ada.orgId,
        (tx) => tx.content.rows`
          update chat_messages set stop_asked_at = ${tx.now} where thread_id = ${thread.id} and status = 'running'
          returning id`,
      )
      expect(asked).toHaveLength(1)
      expect((await call.ended).message?.status).toBe('stopped')
      const beats = await server.app.db.tx(
        ada.orgId,
        (tx) => tx.content.rows`
          select id from chat_messages where thread_id = ${thread.id} and beat_at = ${tx.now}`,
      )
      expect(beats).toEqual(asked)
    },
  )

  test('is not assumed when the rows of a running answer move to another database schema', async () => {
    const story = startStory(' there was')
    const call = await openChatStream(base, ada, thread, { prompt })
    await hasReceived(call, 'Once upon a time')
    await placeInSchema(server, ada.orgId)
    const path = `"${ada.orgId}"`
    for (const table of ['chat_threads', 'chat_messages'])
      await server.sql.rows(
        text(`insert into ${path}.${table} select * from public.${table} where org_id = '${ada.orgId}'`),
      )
    await server.sql.rows`delete from chat_threads where org_id = ${ada.orgId}`
    server.clock.advance({ minutes: 1 })
    await expect
      .poll(
        () =>
          replica.app.db.tx(
            ada.orgId,
            (tx) => tx.content.rows`
        select id from chat_messages where thread_id = ${thread.id} and beat_at = ${tx.now}`,
          ),
        { timeout: 15_000 },
      )
      .toHaveLength(1)
    story.open()
    expect((await call.ended).message).toMatchObject({
      status: 'complete',
      content: 'Once upon a time there was',
    })
  })

  test('without a running answer succeeds', async () => {
    expect(await stop()).toMatchObject({ status: 200, body: { ok: true, stopped: false } })
  })
})

test('a provider failure in mid-stream costs nothing, and the partial text is stored', async () => {
  const held = gate()
  upstream.script({ pieces: ['Once upon ', 'a time', held.opened], cutAfter: 9 })
  const call = await openChatStream(base, ada, thread, { prompt })
  await hasReceived(call, 'Once upon a time')
  held.open()
  const last = await call.ended
  expect(last.code).toMatch(/^upstream_(failed|unavailable)$/)
  expect(await ended()).toMatchObject({
    content: 'Once upon a time',
    status: 'failed',
    costMinor: 0n,
    errorCode: last.code,
  })
  await expectFree()
})

test('an answer that another process has failed is not charged when it completes', async () => {
  const held = startStory(' there was')
  const call = await openChatStream(base, ada, thread, { prompt })
  await hasReceived(call, 'Once upon a time')
  await server.sql.rows`
    update chat_messages set status = 'failed', error_code = 'interrupted' where thread_id = ${thread.id} and status = 'running'`
  held.open()
  expect(await call.ended).toMatchObject({ code: 'work_ended' })
  expect(await ended()).toMatchObject({ status: 'failed', errorCode: 'interrupted', costMinor: 0n })
  await expectFree()
})

test('a call whose key a retry has taken over is stopped, and only the retry is charged', async () => {
  startStory(' there was')
  upstream.script('Another story.')
  const first = await openChatStream(base, ada, thread, { prompt }, 'taken')
  await hasReceived(first, 'Once upon a time')
  // Failed before the clock moves: a running answer would renew its key in between.
  await server.sql
    .rows`update chat_messages set status = 'failed' where thread_id = ${thread.id} and status = 'running'`
  server.clock.advance({ minutes: 16 })
  const second = await openChatStream(base, ada, thread, { prompt }, 'taken')
  const last = await second.ended
  expect(last.message).toMatchObject({ content: 'Another story.', status: 'complete' })
  expect(await first.ended).toMatchObject({ code: 'work_ended' })
  expect((await readThread(server, ada, thread)).messages).toMatchObject([{ role: 'user' }, last.message])
  await expectPaid(last.costMinor)
})

test('a running answer keeps its key: a late retry gets idempotency_in_progress and has no effect', async () => {
  const held = startStory(' there was')
  const first = await openChatStream(base, ada, thread, { prompt }, 'lives')
  await hasReceived(first, 'Once upon a time')
  server.clock.advance({ minutes: 14 })
  await expect
    .poll(
      () => server.sql.rows`
        select 1 from idempotency_keys where key = 'lives' and claimed_at = ${server.clock.now()}`,
      { timeout: 15_000 },
    )
    .toHaveLength(1)
  server.clock.advance({ minutes: 14 })
  await expect
    .poll(
      () => server.sql.rows`
        select 1 from idempotency_keys where key = 'lives' and lease_until > ${server.clock.now()}`,
      { timeout: 15_000 },
    )
    .toHaveLength(1)
  const retry = await server.call('POST', `/chat/threads/${thread.id}/messages`, {
    as: ada,
    body: { prompt },
    headers: { 'idempotency-key': 'lives' },
  })
  expect(retry).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } })
  held.open()
  const last = await first.ended
  expect(last.message).toMatchObject({ content: 'Once upon a time there was', status: 'complete' })
  await expectPaid(last.costMinor)
})

test.for(isSoak ? [undefined, 'down'] : ['down'])(
  'shutdown ends answers without a charge (key: %s)',
  async (key) => {
    startStory()
    const third = await startTestServer({ schedules: SCHEDULES, url: server.url, clock: server.clock })
    const call = await openChatStream(await third.listen(), ada, thread, { prompt }, key)
    await hasReceived(call, 'Once upon a time')
    await third.close()
    expect(await call.ended).toMatchObject({ code: 'restarting' })
    await expect.poll(() => upstream.aborted).toBe(1)
    // The other replicas clean up the rest.
    server.clock.advance({ minutes: 3 })
    await server.app.jobs.drain()
    expect(await ended()).toMatchObject({ status: 'failed', costMinor: 0n })
    await expectFree()
  },
)
