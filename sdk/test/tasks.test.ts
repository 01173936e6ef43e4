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
} from '../src/index.ts'

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

async function startRename(cowrie: Client): Promise<{ id: string; turnId: string }> {
  const { id } = await cowrie.tasks.create({ workspace: { kind: 'client', name: 'demo' } })
  const { turnId } = await cowrie.tasks.turn(id, { prompt: 'Rename the function add to plus in a.js' })
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

test('the events of a task are yielded once and in order, over broken streams, until the turn ends', async () => {
  const cowrie = clientOf({ fetch: losing('/stream', 1) })
  const files = [{ path: 'a.js', content: ADD }]
  const { id } = await cowrie.tasks.create({ workspace: { kind: 'files', files } })
  const { turnId } = await cowrie.tasks.turn(id, { prompt: 'Rename the function add to plus in a.js' })
  const events: TaskEvent[] = []
  for await (const event of followTask(cowrie, id, { turnId })) events.push(event)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
  expect(events.at(-1)).toMatchObject({ kind: 'status', status: 'finished', stopReason: 'completed' })
  expect(events.filter(({ kind }) => kind === 'change')).toMatchObject([{ path: 'a.js', action: 'update' }])
  expect(await cowrie.tasks.file(id, 'a.js')).toBe(ADD.replace('add', 'plus'))
  const resumed: TaskEvent[] = []
  for await (const event of followTask(cowrie, id, { turnId, after: 3 })) resumed.push(event)
  expect(resumed).toEqual(events.slice(3))
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
  await expect(runClientTools(cowrie, id, {})).rejects.toThrow('start one first')
  await cowrie.tasks.delete(id)
  await expect(followTask(cowrie, id).next()).rejects.toMatchObject({ code: 'not_found' })
})
