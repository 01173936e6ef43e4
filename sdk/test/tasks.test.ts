// Tasks through the SDK, against the real service with the development model: the events, and tools on this side.
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Client,
  type ClientOptions,
  createClient,
  followTask,
  runClientTools,
  type TaskEvent,
  type ToolHandlers,
  waitForTurn,
} from '../src/index.ts'
import { startBadNetwork } from './bad-network.ts'

let server: TestServer
let baseUrl: string
let person: Person
beforeAll(async () => {
  server = await startTestServer({ background: true })
  baseUrl = await server.listen()
  person = await server.person()
  await giveCredit(server, person.orgId, 10_000_000n)
})
afterAll(() => server.close())

const clientOf = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl, key: person.bearer, ...options })

const ADD = 'export function add(a, b) {\n  return a + b\n}\n'

/** A small folder, as a client offers it to the model. */
function folder(content: Record<string, string>) {
  const files = new Map(Object.entries(content))
  const calls: string[] = []
  const handlers: ToolHandlers = {
    list: () => [...files.keys()].join('\n'),
    read({ path }) {
      calls.push(`read ${path}`)
      const text = files.get(path)
      if (text === undefined) throw new Error(`There is no file ${path}.`)
      return text
    },
    edit({ path, edits }) {
      calls.push(`edit ${path}`)
      const before = files.get(path) ?? ''
      files.set(
        path,
        edits.reduce((text, { find, replace }) => text.replace(find, replace), before),
      )
      const patch = `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${edits[0]?.find}\n+${edits[0]?.replace}\n`
      return { output: `Changed ${path}.`, changes: [{ path, patch }] }
    },
  }
  return { files, calls, handlers }
}

const RENAME = 'Rename the function add to plus in a.js'

/** A task whose files the service has. */
async function startOnFiles(cowrie: Client): Promise<{ id: string; turnId: string }> {
  const files = [{ path: 'a.js', content: ADD }]
  const { id } = await cowrie.tasks.create({ workspace: { kind: 'files', files } })
  const { turnId } = await cowrie.tasks.turn(id, { prompt: RENAME })
  return { id, turnId }
}

async function startRename(cowrie: Client): Promise<{ id: string; turnId: string }> {
  const { id } = await cowrie.tasks.create({ workspace: { kind: 'client', name: 'demo' } })
  const { turnId } = await cowrie.tasks.turn(id, { prompt: RENAME })
  return { id, turnId }
}

/** Resolves when the event arrives, and stops following. */
async function waitFor(cowrie: Client, id: string, isWanted: (event: TaskEvent) => boolean) {
  for await (const event of followTask(cowrie, id)) if (isWanted(event)) return event
  return undefined
}

/** Delivers requests to the service but loses the first answers of one path. */
function losing(path: string, answers: number): typeof fetch {
  let lost = 0
  return async (input, init) => {
    const response = await fetch(input, init)
    if (!String(input).includes(path) || lost++ >= answers) return response
    await response.body?.cancel()
    throw new TypeError('fetch failed')
  }
}

/** Leaves the inputs of calls out of the events, as the service does with very large ones. */
const omitting: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (!String(input).includes('/stream') || !response.body) return response
  const omit = new TransformStream<string, string>({
    transform: (text, controller) =>
      controller.enqueue(
        text.replace(/^data: (.*"kind":"needs_tool".*)$/gm, (_, json: string) => {
          const event = { ...JSON.parse(json), input: null, isInputOmitted: true }
          return `data: ${JSON.stringify(event)}`
        }),
      ),
  })
  return new Response(
    response.body.pipeThrough(new TextDecoderStream()).pipeThrough(omit).pipeThrough(new TextEncoderStream()),
    response,
  )
}

/** Refuses the first requests before the service sees them. */
function refusing(requests: number): typeof fetch {
  let refused = 0
  return async (input, init) => {
    if (refused++ >= requests) return fetch(input, init)
    const [status, code] = refused % 2 ? [429, 'too_many_requests'] : [503, 'busy']
    return Response.json(
      { error: 'Later.', code },
      { status: Number(status), headers: { 'retry-after': '0' } },
    )
  }
}

test('the events of a task are yielded once and in order, over broken streams, until the turn ends', async () => {
  const cowrie = clientOf({ fetch: losing('/stream', 1) })
  const { id, turnId } = await startOnFiles(cowrie)
  const events: TaskEvent[] = []
  for await (const event of followTask(cowrie, id, { turnId })) events.push(event)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
  expect(events.at(-1)).toMatchObject({ kind: 'status', status: 'finished', stopReason: 'completed' })
  expect(events.filter(({ kind }) => kind === 'change')).toMatchObject([{ path: 'a.js', action: 'update' }])
  expect(await cowrie.tasks.file(id, 'a.js')).toBe(ADD.replace('add', 'plus'))
  const resumed: TaskEvent[] = []
  for await (const event of followTask(cowrie, id, { turnId, after: 3 })) resumed.push(event)
  expect(resumed).toEqual(events.slice(3))
  // Nothing comes after the end of the turn, so these do not wait for it.
  const last = events.length
  for (const after of [last, last + 5])
    expect(await followTask(cowrie, id, { turnId, after }).next()).toMatchObject({ done: true })
  await expect(followTask(cowrie, id, { turnId: 'trn_0' }).next()).rejects.toThrow('has no turn trn_0')
})

test('connections that drop in the middle of the events lose and repeat nothing', async ({
  onTestFinished,
}) => {
  const drops = [1_000, 1_200, 1_500, 2_000].map((afterBytes) => ({
    answer: { afterBytes, end: 'reset' as const },
  }))
  const network = await startBadNetwork(baseUrl, ...drops)
  onTestFinished(() => network.close())
  const { id, turnId } = await startOnFiles(clientOf())
  const events: TaskEvent[] = []
  // Starts with the stream: a connection is used again after an ordinary call.
  for await (const event of followTask(clientOf({ baseUrl: network.url }), id)) {
    events.push(event)
    if (event.kind === 'status' && event.status === 'finished') break
  }
  expect(network.asked).toBeGreaterThan(2)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
  const whole: TaskEvent[] = []
  for await (const event of followTask(clientOf(), id, { turnId })) whole.push(event)
  expect(events).toEqual(whole)
})

test('a turn is waited for, also when the service refuses with Retry-After for a while', async () => {
  const cowrie = clientOf({ retries: 0, fetch: refusing(6) })
  const { id, turnId } = await startOnFiles(clientOf())
  const seen: TaskEvent[] = []
  const options = { after: 0, onEvent: (event: TaskEvent) => seen.push(event) }
  const turn = await waitForTurn(cowrie, id, options)
  expect(turn).toMatchObject({ id: turnId, stopReason: 'completed', withheld: [] })
  expect(seen.at(-1)).toMatchObject({ kind: 'status', status: 'finished', turnId })
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, i) => i + 1))
  // A finished turn is returned at once, and its events are there for those who ask for them.
  expect(await waitForTurn(cowrie, id, { turnId })).toEqual(turn)
  const again: TaskEvent[] = []
  await waitForTurn(cowrie, id, { after: 0, onEvent: (event) => again.push(event) })
  expect(again).toEqual(seen)
})

test('an abort ends the wait at once with its reason', async () => {
  const cowrie = clientOf()
  const { id } = await startRename(cowrie)
  const stop = new AbortController()
  const waiting = waitForTurn(cowrie, id, {
    signal: stop.signal,
    after: 0,
    onEvent: () => stop.abort('enough'),
  })
  await expect(waiting).rejects.toBe('enough')
  const events = followTask(cowrie, id, { signal: stop.signal })
  await expect(events.next()).rejects.toBe('enough')
  await cowrie.tasks.stop(id)
})

test('the service restarts during a turn: the stream and the results continue', async ({
  onTestFinished,
}) => {
  let replica = await startTestServer({ url: server.url })
  onTestFinished(() => replica.close())
  let address = await replica.listen()
  const origin = 'http://cowrie.test'
  const follow: typeof fetch = (input, init) => fetch(String(input).replace(origin, address), init)
  const cowrie = clientOf({ baseUrl: origin, fetch: follow })
  const { calls, handlers } = folder({ 'a.js': ADD })
  const { id, turnId } = await startRename(cowrie)
  const seen: TaskEvent[] = []
  const read: ToolHandlers['read'] = async (input, call) => {
    await replica.close()
    void startTestServer({ url: server.url }).then(async (next) => {
      replica = next
      address = await next.listen()
    })
    return handlers.read?.(input, call) ?? ''
  }
  const options = { turnId, after: 0, onEvent: (event: TaskEvent) => seen.push(event) }
  const turn = await runClientTools(cowrie, id, { ...handlers, read }, options)
  expect(turn).toMatchObject({ stopReason: 'completed' })
  expect(calls).toEqual(['read a.js', 'edit a.js'])
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, i) => i + 1))
})

test('the tools of a client workspace are run here, once each, also when answers of the service are lost', async () => {
  const cowrie = clientOf({ fetch: losing('/tool-results', 2) })
  const { files, calls, handlers } = folder({ 'a.js': ADD })
  const { id, turnId } = await startRename(cowrie)
  const seen: TaskEvent[] = []
  const turn = await runClientTools(cowrie, id, handlers, { turnId, onEvent: (event) => seen.push(event) })
  expect(turn).toMatchObject({ id: turnId, status: 'finished', stopReason: 'completed' })
  expect(turn.summary).toContain('Renamed `add` to `plus` in a.js.')
  expect(files.get('a.js')).toBe(ADD.replace('add', 'plus'))
  expect(calls).toEqual(['read a.js', 'edit a.js'])
  expect(seen.filter(({ kind }) => kind === 'change')).toMatchObject([{ path: 'a.js', added: 1, removed: 1 }])
  expect(await runClientTools(cowrie, id, handlers)).toMatchObject({ id: turnId, status: 'finished' })
  expect(calls).toHaveLength(2)
})

test('an input that is too large for an event is read with its call', async () => {
  const cowrie = clientOf({ fetch: omitting })
  const { calls, handlers } = folder({ 'a.js': ADD })
  const { id, turnId } = await startRename(cowrie)
  const inputs: unknown[] = []
  const read: ToolHandlers['read'] = (input, call) => {
    inputs.push(input)
    return handlers.read?.(input, call) ?? ''
  }
  const turn = await runClientTools(cowrie, id, { ...handlers, read }, { turnId })
  expect(turn).toMatchObject({ stopReason: 'completed' })
  expect([inputs, calls]).toEqual([[{ path: 'a.js' }], ['read a.js', 'edit a.js']])
})

test('another process continues after a crash: open calls are run, answered ones are not', async () => {
  const cowrie = clientOf()
  const { calls, handlers } = folder({ 'a.js': ADD })
  const { id, turnId } = await startRename(cowrie)
  const crash = new AbortController()
  const edit: ToolHandlers['edit'] = () => {
    crash.abort(new Error('crashed'))
    return 'never sent'
  }
  const first = runClientTools(cowrie, id, { ...handlers, edit }, { turnId, signal: crash.signal })
  await expect(first).rejects.toThrow('crashed')
  expect(await runClientTools(cowrie, id, handlers)).toMatchObject({ stopReason: 'completed' })
  expect(calls).toEqual(['read a.js', 'edit a.js'])
})

test('a result that could not be sent is sent by the next attempt, and its call is not run again', async () => {
  let isDown = false
  const cowrie = clientOf({
    fetch: async (input, init) => {
      if (isDown && String(input).includes('/tool-results')) throw new TypeError('fetch failed')
      return fetch(input, init)
    },
  })
  const { calls, handlers } = folder({ 'a.js': ADD })
  const { id } = await startRename(cowrie)
  const edit: ToolHandlers['edit'] = (input, call) => {
    isDown = true
    return handlers.edit?.(input, call) ?? ''
  }
  const first = runClientTools(cowrie, id, { ...handlers, edit }, { patienceMs: 300 })
  await expect(first).rejects.toMatchObject({ code: 'network_error' })
  isDown = false
  expect(await runClientTools(cowrie, id, handlers)).toMatchObject({ stopReason: 'completed' })
  expect(calls).toEqual(['read a.js', 'edit a.js'])
})

test('a missing tool and a handler that throws are results that the model reads', async () => {
  const cowrie = clientOf()
  const { id, turnId } = await startRename(cowrie)
  const { read } = folder({}).handlers
  const turn = await runClientTools(cowrie, id, { ...(read && { read }) }, { turnId })
  expect(turn).toMatchObject({ stopReason: 'completed', spentMinor: expect.any(BigInt) })
  const { needs, lastSeq } = await cowrie.tasks.get(id)
  expect(needs).toEqual([])
  const results: TaskEvent[] = []
  for await (const event of followTask(cowrie, id)) {
    if (event.kind === 'tool_result') results.push(event)
    if (event.seq === lastSeq) break
  }
  expect(results).toMatchObject([
    { tool: 'list', ok: false, output: 'This client does not offer the tool list.' },
    { tool: 'read', ok: false, output: 'There is no file a.js.' },
  ])
})

test('stopping a task aborts the handler, and its result is not sent', async () => {
  const cowrie = clientOf()
  const { id, turnId } = await startRename(cowrie)
  const running = Promise.withResolvers<void>()
  const working = runClientTools(
    cowrie,
    id,
    {
      list: (_, { signal }) =>
        new Promise((resolve) => {
          running.resolve()
          signal.addEventListener('abort', () => resolve('too late'))
        }),
    },
    { turnId },
  )
  await running.promise
  await cowrie.tasks.stop(id)
  expect(await working).toMatchObject({ stopReason: 'stopped' })
  const last = await waitFor(cowrie, id, ({ kind }) => kind === 'needs_tool')
  expect(last).toMatchObject({ tool: 'list' })
})

test('a turn is needed, and a task that is gone is an error', async () => {
  const cowrie = clientOf()
  const { id } = await cowrie.tasks.create({ workspace: { kind: 'client', name: 'demo' } })
  await expect(runClientTools(cowrie, id, {})).rejects.toThrow('start a turn first')
  await cowrie.tasks.delete(id)
  await expect(followTask(cowrie, id).next()).rejects.toMatchObject({ code: 'not_found' })
})
