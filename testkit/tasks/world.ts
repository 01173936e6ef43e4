// A service with a scripted model, and people whose tasks it works on.
import type { TaskEvent } from '@cowrie/server/src/tasks/events.ts'
import {
  type FakeAnswer,
  type FakeReply,
  type FakeRequest,
  type FakeUpstream,
  startFakeUpstream,
} from '../fakes/models/fake-upstream.ts'
import { type Person, startTestServer, type TestServer, type TestServerOptions } from '../harness/harness.ts'
import { giveCredit } from '../wallet/money.ts'

export type TurnView = {
  id: string
  ordinal: number
  mode: string
  status: string
  stopReason: string | null
  errorCode: string | null
  summary: string | null
  verified: boolean
  verification: { reason: string; verified: boolean; excerpt: string } | null
  withheld: { path: string; line?: number; reason: string }[]
  maxMinor: bigint
  spentMinor: bigint
  refundedMinor: bigint
}

export type TaskView = {
  id: string
  title: string
  status: string
  spentMinor: bigint
  budgetMinor: bigint | null
  turns: TurnView[]
  needs: { turnId: string; callId: string; kind: string; tool: string; input: unknown }[]
  lastSeq: number
}

type Files = Readonly<Record<string, string>>
export type TurnInput = { prompt?: string; [field: string]: unknown }
type SeenEvent = TaskEvent & { turnId: string | null }

export type TaskWorld = {
  readonly server: TestServer
  readonly upstream: FakeUpstream
  customer(balanceMinor?: bigint): Promise<Person>
  create(as: Person, workspace: Files | object, more?: object): Promise<string>
  /** Starts a turn without performing it. */
  start(as: Person, task: string, input?: TurnInput): Promise<string>
  /** Starts a turn and performs it until it is finished or waits. */
  turn(as: Person, task: string, input?: TurnInput): Promise<TurnView>
  perform(): Promise<void>
  read(as: Person, task: string): Promise<TaskView>
  events(as: Person, task: string): Promise<SeenEvent[]>
  file(as: Person, task: string, path: string): Promise<string | null>
  close(): Promise<void>
}

const PLENTY = 10_000_000n

export async function startTaskWorld(options: TestServerOptions = {}): Promise<TaskWorld> {
  const upstream = await startFakeUpstream()
  const server = await startTestServer({
    schedules: ['tasks.', 'wallet.', 'metering.'],
    ...options,
    variables: {
      SERVICE_UPSTREAM_BASE_URL: upstream.url,
      SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
      SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
      ...options.variables,
    },
  })
  const read = async (as: Person, task: string) => {
    const { status, text, body } = await server.call<TaskView>('GET', `/tasks/${task}`, { as })
    if (status !== 200) throw new Error(`no task: ${text}`)
    return body
  }
  let turns = 0
  const start = async (as: Person, task: string, input: TurnInput = {}) => {
    const reply = await server.call<{ turnId: string }>('POST', `/tasks/${task}/turns`, {
      as,
      body: { prompt: 'Do it.', ...input },
      headers: { 'idempotency-key': `turn-${++turns}` },
    })
    if (reply.status !== 202) throw new Error(`not started: ${reply.text}`)
    return reply.body.turnId
  }
  const perform = async () => {
    await server.app.jobs.drain()
  }
  return {
    server,
    upstream,
    start,
    perform,
    read,
    async customer(balanceMinor = PLENTY) {
      const person = await server.person()
      if (balanceMinor > 0n) await giveCredit(server, person.orgId, balanceMinor)
      return person
    },
    async create(as, workspace, more = {}) {
      const files = Object.entries(workspace).map(([path, content]) => ({ path, content }))
      const body = { workspace: 'kind' in workspace ? workspace : { kind: 'files', files }, ...more }
      const reply = await server.call<TaskView>('POST', '/tasks', { as, body })
      if (reply.status !== 201) throw new Error(`not created: ${reply.text}`)
      return reply.body.id
    },
    async turn(as, task, input) {
      const id = await start(as, task, input)
      await perform()
      const found = (await read(as, task)).turns.find((turn) => turn.id === id)
      if (!found) throw new Error('the turn is gone')
      return found
    },
    async events({ orgId }, task) {
      const rows = await server.sql.rows<{ event: SeenEvent }>`
        select event from stream_events where stream_id = ${task} and org_id = ${orgId} order by seq`
      return rows.map(({ event }) => event)
    },
    async file(as, task, path) {
      const { status, text } = await server.call('GET', `/tasks/${task}/files/${path}`, { as })
      return status === 200 ? text : null
    },
    async close() {
      await server.close()
      await upstream.close()
    },
  }
}

/** A reply that calls tools. */
export const calls = (...toolCalls: readonly [name: string, input: object][]): FakeAnswer => ({
  toolCalls: toolCalls.map(([name, input]) => ({ name, arguments: JSON.stringify(input) })),
})

type Fields = Record<string, unknown>

/** The texts of all tool results in a request, in order. */
export const resultsIn = ({ body }: FakeRequest): string[] =>
  ((body.messages ?? []) as Fields[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))

/** Replies by the number of answers so far, so that a repeated request gets the same reply. */
export const byStep =
  (...replies: readonly FakeReply[]) =>
  (request: FakeRequest): FakeReply => {
    const messages = (request.body.messages ?? []) as Fields[]
    const answers = messages.filter(({ role }) => role === 'assistant').length
    return replies[answers] ?? 'There is nothing left to do.'
  }
