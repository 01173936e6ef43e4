// A server with a scripted model, and people with funded wallets.

import { mark } from '@cowrie/server/src/agent/prompt/markers.ts'
import type { AgentRunResult } from '@cowrie/server/src/agent/schema.ts'
import { readBalances } from '@cowrie/server/src/wallet/wallet.ts'
import {
  type FakeAnswer,
  type FakeRequest,
  type FakeUpstream,
  startFakeUpstream,
} from '../fakes/models/fake-upstream.ts'
import { type Person, startTestServer, type TestServer } from '../harness/harness.ts'
import { giveCredit } from '../wallet/money.ts'

export type AgentTestServer = {
  readonly server: TestServer
  readonly upstream: FakeUpstream
  close(): Promise<void>
}

export async function startAgentServer(variables: Record<string, string> = {}): Promise<AgentTestServer> {
  const upstream = await startFakeUpstream()
  const server = await startTestServer({
    schedules: ['agent.', 'wallet.', 'metering.', 'idempotency'],
    variables: {
      SERVICE_UPSTREAM_BASE_URL: upstream.url,
      SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
      SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
      ...variables,
    },
  })
  return {
    server,
    upstream,
    async close() {
      await server.close()
      await upstream.close()
    },
  }
}

export async function createFundedPerson(
  server: TestServer,
  balanceMinor: bigint,
  currency = 'NGN',
): Promise<Person> {
  const person = await server.person()
  if (currency !== 'NGN')
    await server.sql.rows`update orgs set currency = ${currency} where id = ${person.orgId}`
  if (balanceMinor > 0n) await giveCredit(server, person.orgId, balanceMinor)
  return person
}

export const readWallet = ({ app }: TestServer, { orgId }: Person) => readBalances(app.db.direct, orgId)

type MarkWriter = (words: string) => string

/** A model answer with the nonce of its request. */
export const answerWith =
  (write: (m: MarkWriter) => string, rest: FakeAnswer = {}) =>
  (request: FakeRequest): FakeAnswer => ({
    text: write((words) => mark(nonceIn(request), words)),
    ...rest,
  })

export const promptOf = ({ body }: FakeRequest): string => JSON.stringify(body.messages)

const nonceIn = (request: FakeRequest): string =>
  /\[\[([0-9a-f]{8}) PLAN\]\]/.exec(promptOf(request))?.[1] ?? 'no nonce'

export const update = (m: MarkWriter, path: string, find: string, replacement: string): string =>
  [m(`FILE update ${path}`), 'why: it was asked for', m('FIND'), find, m('WITH'), replacement, m('END')].join(
    '\n',
  )

export const create = (m: MarkWriter, path: string, body: string): string =>
  [m(`FILE create ${path}`), 'why: it was missing', m('BODY'), body, m('END')].join('\n')

export const wholeAnswer = (m: MarkWriter, ...blocks: string[]): string =>
  [m('PLAN'), '1. Do it.', ...blocks, m('SUMMARY'), 'It is done.'].join('\n')

/** A task about one file, and the answer that solves it. */
export const CONTEXT = [{ path: 'src/add.js', content: 'export function add(a, b) {\n  return a - b\n}\n' }]
export const FIXED = 'export function add(a, b) {\n  return a + b\n}\n'
export const TASK = { prompt: 'Make add() add.', context: CONTEXT }
export const fixingAnswer = (rest: FakeAnswer = {}) =>
  answerWith((m) => wholeAnswer(m, update(m, 'src/add.js', '  return a - b', '  return a + b')), rest)

/** 1204 tokens: 108.36 kobo on the open lane. */
export const USAGE = { prompt_tokens: 1_000, completion_tokens: 204, total_tokens: 1_204 }

type RunRefusal = { code?: string; fields?: { path: string }[] }

export const createRunCaller =
  ({ server }: AgentTestServer) =>
  (who: { bearer: string }, body: object = TASK, key?: string) =>
    server.call<AgentRunResult & RunRefusal>('POST', '/agent/run', {
      as: who,
      body,
      headers: key === undefined ? {} : { 'idempotency-key': key },
    })

export type RunTestRow = { id: string; status: string; stop_reason: string | null; error_code: string | null }

export const listRunRows = ({ server }: AgentTestServer, { orgId }: Person): Promise<RunTestRow[]> =>
  server.sql.rows<RunTestRow>`
    select id, status, stop_reason, error_code from agent_runs where org_id = ${orgId} order by created_at, id`

type DebitEntry = { id: string; ref: string; source: string; amountMinor: bigint }

export async function listDebits({ server }: AgentTestServer, who: Person): Promise<DebitEntry[]> {
  return (await server.call<{ entries: DebitEntry[] }>('GET', '/wallet/ledger?type=debit', { as: who })).body
    .entries
}
