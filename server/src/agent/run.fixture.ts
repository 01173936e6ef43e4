// A server with a model behind it that answers as tests tell it, and people with money.
import { type Person, startTestServer, type TestServer } from '../../test/harness.ts'
import {
  type StandInAnswer,
  type StandInRequest,
  startUpstream,
  type UpstreamStandIn,
} from '../platform/inference/upstream-stand-in.ts'
import { give } from '../wallet/money.fixture.ts'
import { balances } from '../wallet/wallet.ts'
import { mark } from './markers.ts'
import type { AgentRunResult } from './schema.ts'

export type Stage = {
  readonly server: TestServer
  readonly upstream: UpstreamStandIn
  close(): Promise<void>
}

export async function openStage(variables: Record<string, string> = {}): Promise<Stage> {
  const upstream = await startUpstream()
  const server = await startTestServer({
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

export async function personWith(
  server: TestServer,
  balanceMinor: bigint,
  currency = 'NGN',
): Promise<Person> {
  const person = await server.person()
  if (currency !== 'NGN')
    await server.sql.rows`update orgs set currency = ${currency} where id = ${person.orgId}`
  if (balanceMinor > 0n) await give(server, person.orgId, balanceMinor)
  return person
}

export const walletOf = ({ app }: TestServer, { orgId }: Person) => balances(app.db.direct, orgId)

type Words = (words: string) => string

/** What a model says, with the marks of whoever asks it. */
export const answering =
  (write: (m: Words) => string, rest: StandInAnswer = {}) =>
  (request: StandInRequest): StandInAnswer => ({
    text: write((words) => mark(nonceIn(request), words)),
    ...rest,
  })

export const promptOf = ({ body }: StandInRequest): string => JSON.stringify(body.messages)

const nonceIn = (request: StandInRequest): string =>
  /\[\[([0-9a-f]{8}) PLAN\]\]/.exec(promptOf(request))?.[1] ?? 'no nonce'

export const update = (m: Words, path: string, find: string, replacement: string): string =>
  [m(`FILE update ${path}`), 'why: it was asked for', m('FIND'), find, m('WITH'), replacement, m('END')].join(
    '\n',
  )

export const create = (m: Words, path: string, body: string): string =>
  [m(`FILE create ${path}`), 'why: it was missing', m('BODY'), body, m('END')].join('\n')

export const whole = (m: Words, ...blocks: string[]): string =>
  [m('PLAN'), '1. Do it.', ...blocks, m('SUMMARY'), 'It is done.'].join('\n')

/** A task about one file, and the answer that does it. */
export const CONTEXT = [{ path: 'src/add.js', content: 'export function add(a, b) {\n  return a - b\n}\n' }]
export const FIXED = 'export function add(a, b) {\n  return a + b\n}\n'
export const TASK = { prompt: 'Make add() add.', context: CONTEXT }
export const fixing = (rest: StandInAnswer = {}) =>
  answering((m) => whole(m, update(m, 'src/add.js', '  return a - b', '  return a + b')), rest)

/** 1204 tokens: 108.36 kobo on the open lane. */
export const USAGE = { prompt_tokens: 1_000, completion_tokens: 204, total_tokens: 1_204 }

type Refused = { code?: string; fields?: { path: string }[] }

export const askOn =
  ({ server }: Stage) =>
  (who: { bearer: string }, body: object = TASK, key?: string) =>
    server.call<AgentRunResult & Refused>('POST', '/agent/run', {
      as: who,
      body,
      headers: key === undefined ? {} : { 'idempotency-key': key },
    })

export type Row = { id: string; status: string; stop_reason: string | null; error_code: string | null }

export const rowsOf = ({ server }: Stage, { orgId }: Person): Promise<Row[]> =>
  server.sql.rows<Row>`
    select id, status, stop_reason, error_code from agent_runs where org_id = ${orgId} order by created_at, id`

type Debit = { id: string; ref: string; source: string; amountMinor: bigint }

export async function debitsOf({ server }: Stage, who: Person): Promise<Debit[]> {
  return (await server.call<{ entries: Debit[] }>('GET', '/wallet/ledger?type=debit', { as: who })).body
    .entries
}
