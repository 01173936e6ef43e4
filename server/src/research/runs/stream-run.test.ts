// Streams of runs: complete, in order, and resumable.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { addFindings, complete, FILE, start, withRun } from '@cowrie/testkit/research/runs.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { fromJson } from '../../kernel/json.ts'
import { appendEvents } from '../run-events.ts'
import { ResearchFrame, ResearchRun } from '../schema.ts'
import type { ResearchRunId } from '../types.ts'

type Frame = { seq: number; kind: string; at: string; run?: object }

let server: TestServer
let base: string
let ada: Person
beforeAll(async () => {
  server = await startTestServer({ variables: { SERVICE_SEARCH_URL: 'http://127.0.0.1:9/search' } })
  base = await server.listen()
  ada = await server.person({ type: 'team' })
  await giveCredit(server, ada.orgId, 1_000_000n)
})
afterAll(() => server.close())

const framesOf = (text: string): Frame[] =>
  text
    .split('\n\n')
    .filter((each) => each.startsWith('data: '))
    .map((each) => fromJson(each.slice('data: '.length)) as Frame)
const stream = (id: ResearchRunId, query = '', headers = {}) =>
  server.call('GET', `/research/${id}/stream${query}`, { as: ada, headers })
const seqsOf = (text: string) => framesOf(text).map(({ seq }) => seq)

async function finished(): Promise<ResearchRunId> {
  const id = await start(server, ada)
  await addFindings(server, ada, id)
  await complete(server, ada, id)
  return id
}

describe('the stream of a run', () => {
  test('sends all events as documented one-line frames, and ends with the whole run', async () => {
    const id = await finished()
    const { status, headers, text } = await stream(id)
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/event-stream/)
    expect(text).toMatch(/^(data: [^\n]+\n\n)+$/)
    const frames = framesOf(text)
    expect(frames.map(({ kind }) => kind)).toEqual(['phase', 'plan', 'finding', 'report', 'done'])
    expect(frames.at(-2)).toMatchObject({ files: [{ ...FILE, url: `/attachments/${FILE.id}` }] })
    const { body } = await server.call('GET', `/research/${id}`, { as: ada })
    expect(frames.at(-1)?.run).toEqual(body)
  })

  test('resumes after the given number; the query parameter outranks the browser header', async () => {
    const id = await finished()
    expect(seqsOf((await stream(id)).text)).toEqual([1, 2, 3, 4, 5])
    expect(seqsOf((await stream(id, '?after=3')).text)).toEqual([4, 5])
    expect(seqsOf((await stream(id, '', { 'last-event-id': '4' })).text)).toEqual([5])
    expect(seqsOf((await stream(id, '?after=0', { 'last-event-id': '4' })).text)).toEqual([1, 2, 3, 4, 5])
    expect(seqsOf((await stream(id, '', { 'last-event-id': 'x4' })).text)).toEqual([1, 2, 3, 4, 5])
    expect(seqsOf((await stream(id, '?after=99')).text)).toEqual([])
  })

  test.for(['-1', '1.5', 'x', ''])('rejects the position %j', async (after) => {
    expect((await stream(newId('run'), `?after=${after}`)).status).toBe(400)
  })

  test('follows a running run, for several clients', async () => {
    const id = await start(server, ada)
    const listening = [stream(id), stream(id, '?after=1')]
    await addFindings(server, ada, id)
    await complete(server, ada, id)
    const [whole, rest] = await Promise.all(listening)
    expect(seqsOf(whole?.text ?? '')).toEqual([1, 2, 3, 4, 5])
    expect(seqsOf(rest?.text ?? '')).toEqual([2, 3, 4, 5])
  })

  test('can be closed and resumed while the run continues', async () => {
    const id = await start(server, ada)
    await addFindings(server, ada, id)
    const leaving = new AbortController()
    const response = await fetch(`${base}/research/${id}/stream`, {
      headers: { authorization: `Bearer ${ada.bearer}` },
      signal: leaving.signal,
    })
    const first = await response.body?.getReader().read()
    expect(seqsOf(new TextDecoder().decode(first?.value))[0]).toBe(1)
    leaving.abort()
    await withRun(server, ada, id, (tx) =>
      appendEvents(tx, id, [{ kind: 'phase', phase: 'search', pass: 1 }]),
    )
    const { body } = await server.call('GET', `/research/${id}`, { as: ada })
    expect(body.status).toBe('running')
    await complete(server, ada, id)
    expect(seqsOf((await stream(id, '?after=3')).text)).toEqual([4, 5, 6])
  })
})

test('the stream of a removed member, and of a session that signed out, ends without the report', async () => {
  const id = await start(server, ada)
  const member = await server.member(ada.orgId, 'member')
  const browser = server.visitor()
  await browser.call('POST', '/auth/dev-login', { body: { email: ada.email } })
  const cookie = `service_session=${browser.cookies.get('service_session')}`
  const streams = await Promise.all(
    [{ cookie }, { authorization: `Bearer ${member.bearer}` }].map((headers) =>
      fetch(`${base}/research/${id}/stream`, { headers: new Headers(headers as Record<string, string>) }),
    ),
  )
  expect(streams.map(({ status }) => status)).toEqual([200, 200])
  expect((await browser.call('POST', '/auth/logout')).status).toBe(200)
  await server.sql.rows`delete from memberships where user_id = ${member.userId} and org_id = ${ada.orgId}`
  await complete(server, ada, id)
  for (const response of streams)
    expect(framesOf(await response.text()).map(({ kind }) => kind)).not.toContain('done')
})

test('the frames of a finished run match the published schema', async () => {
  const { text } = await stream(await finished())
  const dated = (frame: Frame) => ({ ...frame, at: new Date(frame.at) })
  for (const frame of framesOf(text).filter(({ kind }) => kind !== 'done'))
    expect(ResearchFrame.safeParse(dated(frame)).error, frame.kind).toBeUndefined()
  expect(Object.keys(framesOf(text).at(-1)?.run ?? {}).toSorted()).toEqual(
    Object.keys(ResearchRun.shape).toSorted(),
  )
})
