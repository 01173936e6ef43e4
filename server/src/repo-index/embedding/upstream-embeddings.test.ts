// Embeddings of an upstream model. Organisations with a data region always use the built-in model.

import {
  type AgentTestServer,
  createFundedPerson,
  readWallet,
  startAgentServer,
} from '@cowrie/testkit/agent/run.ts'
import { planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let stage: AgentTestServer
beforeAll(async () => {
  stage = await startAgentServer({
    SERVICE_EMBEDDINGS_MODEL: 'embed-large',
    SERVICE_UPSTREAM_OPEN_NOPRC_MODEL: 'near-1',
  })
})
beforeEach(() => stage.upstream.reset())
afterAll(() => stage.close())

type Reply = { code?: string; model: string; indexed: number }
const files = Array.from({ length: 120 }, (_, i) => ({
  path: `src/f${i}.ts`,
  content: `export const word${i} = ${i}\n`,
}))
const embeddings = () => stage.upstream.requests.filter(({ path }) => path === '/embeddings')
const inputs = () => embeddings().map(({ body }) => (body as { input: string[] }).input.length)

test('texts are embedded in batches, and searches use the same model', async () => {
  const ada = await createFundedPerson(stage.server, 1_000_000n)
  const { body } = await stage.server.call<Reply>('POST', '/repo/index', { as: ada, body: { files } })
  expect(body).toMatchObject({ indexed: 120, model: 'embed-large' })
  expect(inputs().sort((a, b) => a - b)).toEqual([24, 96])
  const found = await stage.server.call<{ mode: string }>('POST', '/repo/search', {
    as: ada,
    body: { query: 'word7' },
  })
  expect([found.body.mode, embeddings().length]).toEqual(['vector', 3])
})

test('a secret in indexed code, in a path or in a search never reaches the embedding model', async () => {
  const ada = await createFundedPerson(stage.server, 1_000_000n)
  const { secret } = planted('flutterwave-live')
  const content = `export const word = 1\nexport const key = '${secret}'\n`
  await stage.server.call('POST', '/repo/index', {
    as: ada,
    body: { files: [{ path: `src/${secret}.ts`, content }] },
  })
  await stage.server.call('POST', '/repo/search', { as: ada, body: { query: `Where is ${secret} used?` } })
  expect(embeddings()).toHaveLength(2)
  expect(JSON.stringify(embeddings().map(({ body }) => body))).not.toContain(secret)
})

test('a failing upstream costs nothing, and searches continue by terms', async () => {
  const ada = await createFundedPerson(stage.server, 1_000_000n)
  const some = files.slice(0, 3)
  await stage.server.call('POST', '/repo/index', { as: ada, body: { files: some } })
  const before = await readWallet(stage.server, ada)
  stage.upstream.on('/embeddings', () => ({ status: 400, body: { error: { message: 'no' } } }))
  const more = files.slice(3, 6)
  const refused = await stage.server.call<Reply>('POST', '/repo/index', { as: ada, body: { files: more } })
  expect(refused).toMatchObject({ status: 502, body: { code: 'upstream_failed' } })
  expect(await readWallet(stage.server, ada)).toEqual(before)
  const found = await stage.server.call<{ mode: string; hits: { path: string }[] }>('POST', '/repo/search', {
    as: ada,
    body: { query: 'word1' },
  })
  expect([found.body.mode, found.body.hits[0]?.path]).toEqual(['lexical', 'src/f1.ts'])
  stage.upstream.on('/embeddings', null)
})

test('code of an organisation with a data region is never sent to the upstream', async () => {
  const ada = await createFundedPerson(stage.server, 1_000_000n)
  await stage.server.sql.rows`update orgs set residency_region = 'ng' where id = ${ada.orgId}`
  const { body } = await stage.server.call<Reply>('POST', '/repo/index', {
    as: ada,
    body: { files: files.slice(0, 2) },
  })
  expect(body.indexed).toBe(2)
  expect(body.model).not.toBe('embed-large')
  await stage.server.call('POST', '/repo/search', { as: ada, body: { query: 'word1' } })
  expect(embeddings()).toEqual([])
})
