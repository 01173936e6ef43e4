import {
  type AgentTestServer,
  createFundedPerson,
  promptOf,
  readWallet,
  startAgentServer,
} from '@cowrie/testkit/agent/run.ts'
import { planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { after } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { reserve } from '../../wallet/wallet.ts'
import type { SearchReply } from '../schema.ts'
import { FAILED_REWRITES_MAX } from './failure-limit.ts'
import { parseWords } from './rewrite-prompt.ts'
import { combineHits } from './rewritten-search.ts'

let stage: AgentTestServer
let ada: Person
beforeAll(async () => {
  stage = await startAgentServer()
})
beforeEach(async () => {
  stage.upstream.reset()
  ada = await createFundedPerson(stage.server, 1_000_000n)
  const { status } = await stage.server.call('POST', '/repo/index', { as: ada, body: { files: FILES } })
  expect(status).toBe(200)
})
afterAll(() => stage.close())

/** Each function fills a chunk. */
const functionNamed = (name: string, about: string): string =>
  `export function ${name}(input) {\n${`  input = ${about}(input)\n`.repeat(30)}  return input\n}\n`
const FILES = [
  { path: 'src/backoff.ts', content: functionNamed('scheduleRetry', 'growInterval') },
  { path: 'src/mail.ts', content: functionNamed('renderLetter', 'fillTemplate') },
  { path: 'src/wallet.ts', content: functionNamed('moveFunds', 'bookEntry') },
]
const QUERY = 'what happens when the courier does not answer'
const WORDS = JSON.stringify({ words: ['scheduleRetry', 'growInterval'] })

async function search(body: object = {}, headers: Record<string, string> = {}) {
  const { status, body: found } = await stage.server.call<
    SearchReply & { code?: string; error?: string; requiredMinor?: bigint }
  >('POST', '/repo/search', { as: ada, body: { query: QUERY, ...body }, headers })
  const { costMinor, balanceMinor } = found.rewrite ?? {}
  return { ...found, httpStatus: status, costMinor, balanceMinor }
}
const rewrite = (body: object = {}, headers: Record<string, string> = {}) =>
  search({ rewrite: true, ...body }, headers)
const pathsOf = ({ hits }: SearchReply): string[] => hits.map(({ path }) => path)
const balance = async () => (await readWallet(stage.server, ada)).balanceMinor

test('the words of the model are searched too, and its tokens are charged within the maximum', async () => {
  const before = await balance()
  stage.upstream.on('/chat/completions', () => ({ text: WORDS }))
  const found = await rewrite({ limit: 1 })
  expect(found.rewrite).toMatchObject({
    status: 'used',
    reason: null,
    words: ['scheduleRetry', 'growInterval'],
  })
  expect(pathsOf(found)).toEqual(['src/backoff.ts'])
  expect(found.costMinor).toBeGreaterThan(0n)
  expect(found.costMinor).toBeLessThanOrEqual(found.rewrite?.maxCostMinor ?? 0n)
  expect(found.balanceMinor).toBe(before - (found.costMinor ?? 0n))
  expect(await readWallet(stage.server, ada)).toMatchObject({
    balanceMinor: found.balanceMinor,
    heldMinor: 0n,
  })
})

test('the prompt has the query and the names of the plain hits, and no secret', async () => {
  const { secret } = planted('flutterwave-live')
  stage.upstream.on('/chat/completions', () => ({ text: WORDS }))
  await rewrite({ query: `where is ${secret} sent by mail` })
  const prompt = promptOf(stage.upstream.requests[0] ?? expect.fail('the model was asked'))
  expect(prompt).toContain('sent by mail')
  expect(prompt).toContain('src/mail.ts renderLetter')
  expect(prompt).not.toContain(secret)
})

test('a secret in a path is not in the prompt', async () => {
  const { secret } = planted('flutterwave-live')
  const files = [{ path: `keys/${secret}.ts`, content: functionNamed('callCourier', 'dialNumber') }]
  await stage.server.call('POST', '/repo/index', { as: ada, body: { files } })
  stage.upstream.on('/chat/completions', () => ({ text: WORDS }))
  await rewrite({ query: 'callCourier' })
  const prompt = promptOf(stage.upstream.requests[0] ?? expect.fail('the model was asked'))
  expect(prompt).toContain('callCourier')
  expect(prompt).toContain('keys/•')
  expect(prompt).not.toContain(secret)
})

test.each([
  ['an answer without words', { text: 'I do not know.' }, 'unusable_answer'],
  ['an error of the model', { status: 500, body: { error: { message: 'no' } } }, 'model_failed'],
] as const)('%s costs nothing and leaves the hits of the plain query', async (_, answer, reason) => {
  const plain = await search()
  const before = await balance()
  stage.upstream.on('/chat/completions', () => answer)
  const found = await rewrite()
  expect(found).toMatchObject({
    httpStatus: 200,
    rewrite: { status: 'not_used', reason, words: [] },
    costMinor: 0n,
  })
  expect(found.hits).toEqual(plain.hits)
  expect(await readWallet(stage.server, ada)).toMatchObject({ balanceMinor: before, heldMinor: 0n })
})

test('a rewritten search is refused when the wallet does not cover it, and a plain one is not', async () => {
  const held = await reserve(stage.server.app, {
    ...{ orgId: ada.orgId, userId: ada.userId, ref: newId('gen'), source: 'index' as const },
    ...{
      amountMinor: await balance(),
      terms: {},
      deadline: after(stage.server.clock.now(), { minutes: 10 }),
    },
  })
  expect(held.ok).toBe(true)
  const refused = await rewrite()
  expect(refused).toMatchObject({ httpStatus: 402, code: 'insufficient_funds' })
  expect(refused.requiredMinor).toBeGreaterThan(0n)
  expect(stage.upstream.requests).toHaveLength(0)
  expect((await search()).httpStatus).toBe(200)
})

test('a suspended organisation searches without a model only', async () => {
  await stage.server.sql.rows`update orgs set suspended_at = now() where id = ${ada.orgId}`
  expect(await rewrite()).toMatchObject({ httpStatus: 403, code: 'org_suspended' })
  expect((await search()).httpStatus).toBe(200)
  expect(stage.upstream.requests).toHaveLength(0)
})

test('a preview shows the maximum cost without asking the model, and a lower limit is refused', async () => {
  const before = await balance()
  const quoted = await rewrite({ preview: true })
  expect(quoted).toMatchObject({ rewrite: { status: 'preview' }, costMinor: 0n, balanceMinor: before })
  const maxCostMinor = quoted.rewrite?.maxCostMinor ?? 0n
  expect(maxCostMinor).toBeGreaterThan(0n)
  expect(await rewrite({ maxCostMinor: 0n })).toMatchObject({ httpStatus: 402, code: 'budget_too_low' })
  expect(stage.upstream.requests).toHaveLength(0)
  stage.upstream.on('/chat/completions', () => ({ text: WORDS }))
  expect((await rewrite({ maxCostMinor })).rewrite?.maxCostMinor).toBeLessThanOrEqual(maxCostMinor)
})

test('a retry under the same key returns the same hits and is charged once', async () => {
  stage.upstream.on('/chat/completions', () => ({ text: WORDS }))
  const first = await rewrite({}, { 'idempotency-key': 'once' })
  expect(await rewrite({}, { 'idempotency-key': 'once' })).toEqual(first)
  expect(stage.upstream.requests).toHaveLength(1)
  expect(await balance()).toBe(first.balanceMinor)
})

test('a plain search stores nothing under its key', async () => {
  const keyed = { 'idempotency-key': 'free' }
  expect((await search({}, keyed)).httpStatus).toBe(200)
  expect((await search({ query: 'another question' }, keyed)).httpStatus).toBe(200)
  const stored = await stage.server.sql.rows`
    select 1 from idempotency_keys where user_id = ${ada.userId} and route = 'index.search'`
  expect(stored).toEqual([])
})

/** A call under the key `lost` whose process has died. */
async function loseAttempt(id: string, fence: number) {
  const { server } = stage
  stage.upstream.on('/chat/completions', () => ({ text: WORDS }))
  await rewrite({}, { 'idempotency-key': 'pattern' })
  const now = server.clock.now()
  await server.sql.rows`
    insert into idempotency_keys
      (user_id, route, key, id, fingerprint, state, fence, claimed_at, created_at, lease_until)
    select user_id, route, 'lost', ${id}, fingerprint, 'running', ${fence}, ${now}, ${now},
           ${after(now, { seconds: 20 })}
    from idempotency_keys where key = 'pattern' and user_id = ${ada.userId}`
  return { server, now }
}

test('a retry after a crash releases the hold of the lost attempt first', async () => {
  const { server, now } = await loseAttempt('idem_lostsearch', 1)
  const held = await reserve(server.app, {
    ...{ orgId: ada.orgId, userId: ada.userId, ref: 'ixq_lostsearch.1', source: 'index' as const },
    ...{ amountMinor: await balance(), terms: {}, deadline: after(now, { minutes: 10 }) },
  })
  expect(held.ok).toBe(true)
  server.clock.advance({ seconds: 20 })
  expect(await rewrite({}, { 'idempotency-key': 'lost' })).toMatchObject({ rewrite: { status: 'used' } })
  expect((await readWallet(server, ada)).heldMinor).toBe(0n)
})

test('a retry releases the holds of all earlier attempts', async () => {
  const { server, now } = await loseAttempt('idem_losttwice', 3)
  for (const ref of ['ixq_losttwice.1', 'ixq_losttwice.3']) {
    const held = await reserve(server.app, {
      ...{ orgId: ada.orgId, userId: ada.userId, ref, source: 'index' as const },
      ...{ amountMinor: 1_000n, terms: {}, deadline: after(now, { minutes: 10 }) },
    })
    expect(held.ok).toBe(true)
  }
  server.clock.advance({ seconds: 20 })
  expect(await rewrite({}, { 'idempotency-key': 'lost' })).toMatchObject({ rewrite: { status: 'used' } })
  expect((await readWallet(server, ada)).heldMinor).toBe(0n)
})

test('a bounded number of rewrites fails per hour and organisation; successful and unpaid ones do not count', async () => {
  const { server, upstream } = stage
  upstream.on('/chat/completions', () => ({ text: WORDS }))
  expect((await rewrite()).rewrite?.status).toBe('used')
  expect(await rewrite({ maxCostMinor: 0n })).toMatchObject({ httpStatus: 402 })
  upstream.on('/chat/completions', () => ({ text: 'I do not know.' }))
  for (let i = 0; i < FAILED_REWRITES_MAX; i++)
    expect((await rewrite()).rewrite).toMatchObject({ reason: 'unusable_answer' })
  const asked = upstream.requests.length
  const refused = await rewrite()
  expect(refused).toMatchObject({
    httpStatus: 429,
    code: 'too_many_attempts',
    error: `${FAILED_REWRITES_MAX} rewritten searches failed within an hour or are still running. Wait for the time in Retry-After, or search without \`rewrite\`.`,
  })
  expect(upstream.requests).toHaveLength(asked)
  expect((await search()).httpStatus).toBe(200)
  expect((await rewrite({ preview: true })).rewrite?.status).toBe('preview')
  server.clock.advance({ minutes: 61 })
  upstream.on('/chat/completions', () => ({ text: WORDS }))
  expect((await rewrite()).rewrite?.status).toBe('used')
})

test('failures that run at the same time stay within the limit', async () => {
  const { upstream } = stage
  upstream.on('/chat/completions', () => ({ text: 'I do not know.' }))
  const found = await Promise.all(Array.from({ length: FAILED_REWRITES_MAX + 8 }, () => rewrite()))
  expect(upstream.requests.length).toBeLessThanOrEqual(FAILED_REWRITES_MAX)
  expect(found.filter(({ httpStatus }) => httpStatus === 429).length).toBeGreaterThanOrEqual(8)
})

test('a refusal while other rewrites run mentions them, and asks for a retry soon', async () => {
  const { server, upstream } = stage
  upstream.on('/chat/completions', () => ({ text: WORDS }))
  const replies = await Promise.all(
    Array.from({ length: FAILED_REWRITES_MAX + 20 }, () =>
      server.call<{ error: string }>('POST', '/repo/search', {
        as: ada,
        body: { query: QUERY, rewrite: true },
      }),
    ),
  )
  for (const { status, body, headers } of replies)
    if (status !== 200) {
      expect(body.error).toContain('or are still running')
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
    }
  expect((await rewrite()).rewrite?.status).toBe('used')
})

test('without indexed code no model is asked', async () => {
  const found = await rewrite({ repo: 'empty' })
  expect(found).toMatchObject({ hits: [], rewrite: { status: 'not_used', reason: 'no_hits' }, costMinor: 0n })
  expect(stage.upstream.requests).toHaveLength(0)
})

test('only short words of the answer are used, each once', () => {
  const words = ['parseBody', 'parseBody', ' x ', 'a<b', 'w'.repeat(61), 'app/http retry']
  expect(parseWords(`Sure:\n\`\`\`json\n${JSON.stringify({ words })}\n\`\`\``)).toEqual([
    'parseBody',
    'app/http retry',
  ])
  expect(parseWords('{"words": []}')).toBeNull()
})

test('a hit that both queries rank well comes before one that a single query ranks first', () => {
  const found = (...ids: string[]) =>
    ({
      hits: ids.map((id) => ({ indexed: { file: { id, version: 1 }, ord: 0 }, score: 0 })),
      mode: 'lexical',
    }) as unknown as Parameters<typeof combineHits>[0]
  const { hits } = combineHits(found('a', 'b', 'c', 'd'), found('x', 'c', 'b'))
  expect(hits.map(({ indexed }) => indexed.file.id)).toEqual(['b', 'c', 'a', 'x', 'd'])
  expect(combineHits(found('a'), found('a')).hits[0]?.score).toBe(1)
})

test('a rewrite whose count cannot be taken back is answered, and leaves no hold', async () => {
  const { server, upstream } = stage
  upstream.on('/chat/completions', () => ({ text: WORDS }))
  await server.sql.rows`
    create function refuse_deletes() returns trigger language plpgsql as 'begin raise ''out of order''; end'`
  await server.sql.rows`
    create trigger refuse_deletes before delete on attempts for each row execute function refuse_deletes()`
  try {
    expect(await rewrite()).toMatchObject({ httpStatus: 200, rewrite: { status: 'used' } })
  } finally {
    await server.sql.rows`drop function refuse_deletes cascade`
  }
  expect((await readWallet(server, ada)).heldMinor).toBe(0n)
})
