// Loops for tests: a project with a bug, model answers, and a client that reads frames from a real socket.
import { readdir, readFile } from 'node:fs/promises'
import type { LoopFrame, ResultFrame, StepFrame } from '@cowrie/server/src/agent/loop/schema.ts'
import { mark } from '@cowrie/server/src/agent/prompt/markers.ts'
import type { AgentRunFrame } from '@cowrie/server/src/agent/schema.ts'
import { fromJson, toJson } from '@cowrie/server/src/kernel/json.ts'
import type { z } from 'zod'
import {
  type FakeReply,
  type FakeRequest,
  type FakeUpstream,
  startFakeUpstream,
} from '../fakes/models/fake-upstream.ts'
import { type Person, startTestServer, type TestServer } from '../harness/harness.ts'
import { giveCredit } from '../wallet/money.ts'

export type RunFrame = z.input<typeof AgentRunFrame>

export const TEST = `import test from 'node:test'
import assert from 'node:assert'
import { add } from './add.mjs'
test('adds', () => assert.equal(add(2, 3), 5))
test('adds nothing', () => assert.equal(add(0, 0), 0))
`
export const PROJECT = [
  { path: 'add.mjs', content: 'export const add = (a, b) => a - b\n' },
  { path: 'add.test.mjs', content: TEST },
]
export const LOCAL = {
  prompt: 'Make add add.',
  context: PROJECT,
  sandbox: 'local',
  testCmd: 'node add.test.mjs',
}

// Without a runner only the exit code counts, and a shell starts fastest.
export const SHELL = {
  prompt: 'Let there be a good word.',
  context: [
    { path: 'word.txt', content: 'bad\n' },
    { path: 'check.sh', content: 'echo "the word is $(cat word.txt)"; grep -q good word.txt\n' },
  ],
  sandbox: 'local',
  testCmd: 'sh check.sh',
}

export type LoopTestServer = {
  readonly server: TestServer
  readonly upstream: FakeUpstream
  readonly address: string
  /** A person with a funded wallet. */
  customer(balanceMinor?: bigint, type?: 'individual' | 'team'): Promise<Person>
  close(): Promise<void>
}

const SCHEDULES = ['agent.', 'wallet.', 'metering.']

export async function startLoopServer(variables: Record<string, string> = {}): Promise<LoopTestServer> {
  const upstream = await startFakeUpstream()
  const server = await startTestServer({
    schedules: SCHEDULES,
    variables: { ...variablesFor(upstream), ...variables },
  })
  return {
    server,
    upstream,
    address: await server.listen(),
    async customer(balanceMinor = 1_000_000n, type = 'individual') {
      const person = await server.person({ type })
      if (balanceMinor > 0n) await giveCredit(server, person.orgId, balanceMinor)
      return person
    },
    async close() {
      await server.close()
      await upstream.close()
    },
  }
}

/** A second replica on the same database and clock. */
export const startReplica = ({ server, upstream }: LoopTestServer): Promise<TestServer> =>
  startTestServer({
    url: server.url,
    clock: server.clock,
    schedules: SCHEDULES,
    variables: variablesFor(upstream),
  })

const variablesFor = (upstream: FakeUpstream) => ({
  SERVICE_UPSTREAM_BASE_URL: upstream.url,
  SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
  SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
  SERVICE_SANDBOX_LOCAL: 'on',
  SERVICE_SANDBOX_DOCKER: 'off',
})

type BlockWriter = (nonce: string) => string

export const change =
  (path: string, find: string, replacement: string): BlockWriter =>
  (nonce) =>
    [
      mark(nonce, `FILE update ${path}`),
      'why: it was wrong',
      mark(nonce, 'FIND'),
      find,
      mark(nonce, 'WITH'),
      replacement,
      mark(nonce, 'END'),
    ].join('\n')

export const create =
  (path: string, body: string): BlockWriter =>
  (nonce) =>
    [
      mark(nonce, `FILE create ${path}`),
      'why: it was missing',
      mark(nonce, 'BODY'),
      body,
      mark(nonce, 'END'),
    ].join('\n')

export const remove =
  (path: string): BlockWriter =>
  (nonce) =>
    `${mark(nonce, `FILE delete ${path}`)}\nwhy: it is unused`

/** An answer in the requested format, with the nonce of the request. */
export const answer =
  (...blocks: BlockWriter[]) =>
  (request: FakeRequest): string => {
    const nonce = nonceOf(request)
    const parts = [
      mark(nonce, 'PLAN'),
      '1. Look.\n2. Repair.',
      ...blocks.map((block) => block(nonce)),
      mark(nonce, 'SUMMARY'),
      'It is repaired.',
    ]
    return `${parts.join('\n')}\n`
  }

/** Like `answer`, in two pieces with a wait between them. */
export const slowAnswer =
  (wait: Promise<void>, ...blocks: BlockWriter[]) =>
  (request: FakeRequest): FakeReply => {
    const text = answer(...blocks)(request)
    const middle = text.indexOf('2.')
    return { pieces: [text.slice(0, middle), wait, text.slice(middle)] }
  }

export const textOf = (request: FakeRequest | undefined): string => JSON.stringify(request?.body.messages)

const nonceOf = (request: FakeRequest): string =>
  /\[\[([0-9a-f]{8}) PLAN\]\]/.exec(textOf(request))?.[1] ?? ''

export type StreamClient<Frame> = {
  readonly status: number
  readonly headers: Headers
  /** The frames received so far. */
  readonly frames: readonly Frame[]
  /** All frames, when the stream has ended or the client disconnected. */
  readonly ended: Promise<readonly Frame[]>
  /** The body of a refusal. */
  readonly refusal: Record<string, unknown>
  disconnect(): void
}
export type LoopClient = StreamClient<LoopFrame>

/** Starts a loop and reads its frames. */
export const openLoopClient = (
  address: string,
  as: { bearer: string },
  body: object,
  key?: string,
): Promise<LoopClient> => openStreamClient(`${address}/agent/run-loop`, as, body, key)

/** Starts a single run and reads its frames. */
export const openRunClient = (
  address: string,
  as: { bearer: string },
  body: object,
  key?: string,
): Promise<StreamClient<RunFrame>> => openStreamClient(`${address}/agent/run`, as, body, key)

async function openStreamClient<Frame>(
  url: string,
  as: { bearer: string },
  body: object,
  key: string | undefined,
): Promise<StreamClient<Frame>> {
  const line = new AbortController()
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as.bearer}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': key }),
    },
    body: toJson(body),
    signal: line.signal,
  })
  const { status, headers } = response
  const frames: Frame[] = []
  const isStream = headers.get('content-type')?.startsWith('text/event-stream')
  const refusal = isStream ? {} : (fromJson(await response.text()) as Record<string, unknown>)
  const ended = isStream ? collect(response, frames) : Promise.resolve(frames)
  return { status, headers, frames, ended, refusal, disconnect: () => line.abort() }
}

async function collect<Frame>(response: Response, frames: Frame[]): Promise<Frame[]> {
  let rest = ''
  const decoder = new TextDecoder()
  try {
    for await (const bytes of response.body ?? []) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) if (part.startsWith('data: ')) frames.push(fromJson(part.slice(6)) as Frame)
    }
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
  }
  return frames
}

/** Runs a loop to its end. */
export async function runToEnd(address: string, as: { bearer: string }, body: object, key?: string) {
  const following = await openLoopClient(address, as, body, key)
  const frames = await following.ended
  const last = frames.at(-1) as ResultFrame
  const steps = frames.filter((frame): frame is StepFrame => 'step' in frame)
  return { ...following, frames, last, steps, deltas: deltasOf(frames) }
}

export const deltasOf = (frames: readonly object[]): string =>
  frames.map((frame) => ('delta' in frame ? frame.delta : '')).join('')

/** The wallet, debits and runs of an organisation in the database. */
export async function readBooks({ sql }: TestServer, orgId: string) {
  const wallet = await sql.one<{ balance: bigint; held: bigint }>`
    select balance_minor as balance, held_minor as held from wallets where org_id = ${orgId}`
  const debits = await sql.one<{ charged: bigint; count: bigint }>`
    select coalesce(sum(charged_minor), 0)::bigint as charged, count(*) as count
    from holds where org_id = ${orgId} and state = 'settled'`
  const runs = await sql.rows<{
    id: string
    status: string
    stop_reason: string | null
    iterations: number
    verified: boolean
    cost_minor: bigint
  }>`
    select id, status, stop_reason, iterations, verified, cost_minor from agent_runs
    where org_id = ${orgId} order by created_at, id`
  return { ...wallet, ...debits, runs }
}

/** Processes of this host whose command line contains these words. */
export async function findProcesses(words: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  // A process may end while it is read.
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.map((line) => line.replaceAll('\0', ' ').trim()).filter((line) => line.includes(words))
}
