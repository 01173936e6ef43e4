// Recorded requests of coding clients succeed with a provider of every format.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedRequest } from '@cowrie/testkit/clients/record.ts'
import { type ModelProviders, startModelProviders } from '@cowrie/testkit/gateway/model-providers.ts'
import type { Customer } from '@cowrie/testkit/gateway/openai-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../testkit/gateway/client-requests')
const recorded = readdirSync(FOLDER).map((file): [string, RecordedRequest] => [
  file.replace('.json', ''),
  JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as RecordedRequest,
])
const WIRES = ['openai', 'anthropic', 'gemini'] as const

let api: ModelProviders
let ada: Customer
beforeAll(async () => {
  api = await startModelProviders()
  ada = await api.customer(100_000_000n)
})
afterAll(() => api.close())

test.each(WIRES)('a provider of %s accepts the request of every coding client', async (wire) => {
  await api.putModel('coder', [wire], { capabilities: ['tools', 'reasoning', 'cache'] })
  for (const [client, { method, path, headers, body }] of recorded) {
    const before = api[wire].requests.length
    api[wire].script('The greeting names Lagos.')
    const [url = '', query = ''] = path.split('?')
    const reply = await api.server.call(method, url, {
      headers: withKey(headers),
      query: Object.fromEntries(new URLSearchParams(query)),
      body,
    })
    expect(reply.status, `${client}: ${reply.text}`).toBe(200)
    expect(reply.text, client).toContain('Lagos')
    const sent = JSON.stringify(api[wire].requests[before]?.body)
    expect(sent, client).toContain('Hello, Lagos.')
  }
})

/** The client's headers with the key of this test, in the header that the client uses. */
const withKey = (headers: RecordedRequest['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'accept-encoding')
      .map(([name, value]) => [name, value.replace('cwk_key', ada.key)]),
  )
