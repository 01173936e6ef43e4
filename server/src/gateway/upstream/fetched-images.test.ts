// Images by URL and audio, in all client formats, over a real service.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type ModelProviders,
  type ProviderName,
  startModelProviders,
} from '@cowrie/testkit/gateway/model-providers.ts'
import { type Customer, spentBy } from '@cowrie/testkit/gateway/openai-api.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { flushRequestLog } from '../../metering/requests/request-log.ts'

type Json = Record<string, unknown>

const PNG = Buffer.from('\x89PNG\r\n\x1a\nthe rest of the image', 'latin1')
const DATA = PNG.toString('base64')
const JPEG = Buffer.from('\xff\xd8\xff\xe0'.padEnd(4_500_000, 'x'), 'latin1')

let web: Server
let origin: string
let fetched: string[]
let api: ModelProviders
let ada: Customer

beforeAll(async () => {
  web = createServer((request, response) => {
    const path = String(request.url)
    fetched.push(path)
    if (path.startsWith('/a.png')) response.writeHead(200, { 'content-type': 'text/plain' }).end(PNG)
    else if (path.startsWith('/large')) response.end(JPEG)
    else if (path === '/page') response.writeHead(200, { 'content-type': 'image/png' }).end('<html>')
    else response.writeHead(path === '/inside' ? 302 : 404, { location: 'https://169.254.169.254/' }).end()
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(web.address() as AddressInfo).port}`
  origin = `http://${host}`
  api = await startModelProviders({ SERVICE_FETCH_ALLOW: host })
  for (const name of ['openai', 'anthropic', 'gemini'] as const) await api.putModel(`on-${name}`, [name])
})
afterAll(async () => {
  web.close()
  await api.close()
})
beforeEach(async () => {
  fetched = []
  for (const provider of [api.openai, api.anthropic, api.gemini]) provider.reset()
  ada = await api.customer()
})

const chat = (model: string, ...content: object[]) => ({ model, messages: [{ role: 'user', content }] })
const pictureAt = (url: string) => ({ type: 'image_url', image_url: { url, detail: 'low' } })
const CHAT = '/v1/chat/completions'

const WIRES: Readonly<
  Record<string, (model: string, url: string) => { path: string; body: Json; field: string }>
> = {
  chat: (model, url) => ({
    path: CHAT,
    body: chat(model, { type: 'text', text: 'Look.' }, pictureAt(url)),
    field: 'messages.0.content.1.image_url.url',
  }),
  responses: (model, url) => ({
    path: '/v1/responses',
    body: { model, input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] },
    field: 'input.0.content.0.image_url',
  }),
  anthropic: (model, image) => {
    const content = [{ type: 'image', source: { type: 'url', url: image } }]
    const called = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'call_1', name: 'look', input: {} }],
    }
    const result = { type: 'tool_result', tool_use_id: 'call_1', content }
    const messages = [{ role: 'user', content: 'Look.' }, called, { role: 'user', content: [result] }]
    const tools = [{ name: 'look', input_schema: { type: 'object' } }]
    return {
      path: '/v1/messages',
      body: { model, max_tokens: 100, messages, tools },
      field: 'messages.2.content.0.content.0.source.url',
    }
  },
  gemini: (model, fileUri) => ({
    path: `/v1beta/models/${model}:generateContent`,
    body: { contents: [{ role: 'user', parts: [{ fileData: { mimeType: 'image/jpeg', fileUri } }] }] },
    field: 'contents.0.parts.0.fileData.fileUri',
  }),
}
const PAIRS = Object.keys(WIRES).flatMap((wire) =>
  (['openai', 'anthropic', 'gemini'] as const).map((provider) => [wire, provider] as const),
)
const requestOf = (wire: string, provider: ProviderName, url: string) =>
  (WIRES[wire] as (typeof WIRES)[string])(`on-${provider}`, url)

test.for(PAIRS)(
  'an image by URL of a %s client reaches a provider of the format %s inline',
  async ([wire, provider]) => {
    const { path, body } = requestOf(wire, provider, `${origin}/a.png`)
    const reply = await api.post(ada, path, body)
    expect(reply.status, reply.text).toBe(200)
    const sent = JSON.stringify(api[provider].requests.at(-1)?.body)
    expect(sent).toContain(DATA)
    expect(sent).toContain('image/png')
    expect(sent).not.toContain(origin)
    expect(fetched).toEqual(['/a.png'])
  },
)

describe('an image by URL', () => {
  test.for(Object.keys(WIRES))(
    'that cannot be used is an error of a %s client that names the field',
    async (wire) => {
      const cases: readonly (readonly [url: string, problem: string])[] = [
        [`${origin}/missing`, 'returned the status 404'],
        [`${origin}/page`, 'must be a PNG, JPEG, WebP or GIF image'],
        [`${origin}/inside`, 'public internet'],
        ['https://10.0.0.7/a.png', 'public internet'],
        ['https://[::1]/a.png', 'public internet'],
        ['https://printer.local/a.png', 'public internet'],
        ['http://93.184.216.34/a.png', 'must be an https URL'],
        ['file:///etc/passwd', 'must be an https URL'],
      ]
      for (const [url, problem] of cases) {
        const { path, body, field } = requestOf(wire, 'openai', url)
        const reply = await api.post(ada, path, body)
        expect(reply.status, url).toBe(400)
        expect(reply.text).toContain(problem)
        expect(reply.text).toContain(field)
      }
      expect(api.openai.requests).toEqual([])
      expect(await spentBy(api, ada)).toBe(0n)
    },
  )

  test('is fetched once, and at most five images and 8 MiB are fetched', async () => {
    const pictures = (...paths: string[]) =>
      chat('on-openai', ...paths.map((path) => pictureAt(`${origin}${path}`)))
    const twice = await api.post(ada, CHAT, pictures('/a.png', '/a.png'))
    expect(twice.status).toBe(200)
    expect(fetched).toEqual(['/a.png'])
    const many = await api.post(ada, CHAT, pictures(...[1, 2, 3, 4, 5, 6].map((at) => `/a.png?${at}`)))
    expect(many).toMatchObject({
      status: 400,
      body: { error: { param: 'messages.0.content.5.image_url.url' } },
    })
    expect(many.text).toContain('at most 5 images')
    expect(fetched).toHaveLength(1)
    const large = await api.post(ada, CHAT, pictures('/large?1', '/large?2'))
    expect(large).toMatchObject({
      status: 400,
      body: { error: { param: 'messages.0.content.1.image_url.url' } },
    })
    expect(large.text).toContain('8 MiB')
    const one = await api.post(ada, CHAT, pictures('/large'))
    expect(one.status).toBe(200)
    expect(await spentBy(api, ada)).toBeLessThan(2_000n * 2n)
  })

  test('is not fetched for a caller who cannot pay or use the model', async () => {
    const poor = await api.customer(0n)
    const request = chat('on-openai', pictureAt(`${origin}/a.png`))
    expect(await api.post(poor, CHAT, request)).toMatchObject({
      status: 402,
      body: { error: { code: 'insufficient_funds' } },
    })
    expect((await api.post(ada, CHAT, { ...request, model: 'unknown' })).status).toBe(404)
    expect(fetched).toEqual([])
  })

  test('of another file, and a file id, stay refused', async () => {
    const input = (part: object) => ({ model: 'on-openai', input: [{ role: 'user', content: [part] }] })
    for (const part of [
      { type: 'input_file', file_url: `${origin}/a.pdf` },
      { type: 'input_image', file_id: 'file-1' },
    ]) {
      const reply = await api.post(ada, '/v1/responses', input(part))
      expect(reply.status).toBe(400)
      expect(reply.text).toContain('file ids and URLs of files are not supported')
    }
    expect(fetched).toEqual([])
  })
})

test('a large request of an empty wallet is refused before its tokens are counted, and recorded', async () => {
  const poor = await api.customer(0n)
  const text = 'word '.repeat(60_000)
  for (const [path, body] of [
    [CHAT, { model: 'on-openai', messages: [{ role: 'user', content: text }] }],
    ['/v1/responses', { model: 'on-openai', input: text }],
    ['/v1/messages', { model: 'on-anthropic', max_tokens: 9, messages: [{ role: 'user', content: text }] }],
    ['/v1/embeddings', { model: 'open', input: text }],
  ] as const) {
    const reply = await api.post(poor, path, body)
    expect(reply.status).toBe(402)
    expect(reply.text).toContain('The wallet is empty.')
  }
  await flushRequestLog(api.server.app)
  const codes = await api.server.sql.rows<{ route: string; code: string }>`
    select route, code from request_log where org_id = ${poor.orgId} order by route`
  expect(codes).toEqual(
    ['POST /v1/chat/completions', 'POST /v1/embeddings', 'POST /v1/messages', 'POST /v1/responses'].map(
      (route) => ({ route, code: 'insufficient_funds' }),
    ),
  )
})

describe('audio', () => {
  const speech = (format: string) =>
    chat('', { type: 'input_audio', input_audio: { format, data: 'UklGRg==' } })
  const spoken = (mimeType: string) => ({
    contents: [{ parts: [{ inlineData: { mimeType, data: 'UklGRg==' } }] }],
  })
  const geminiPath = (model: string) => `/v1beta/models/${model}:generateContent`

  test('passes from both formats to both formats that have it', async () => {
    for (const provider of ['openai', 'gemini'] as const) {
      const model = `on-${provider}`
      const part = (at: number) => JSON.stringify(api[provider].requests.at(at)?.body)
      const named = provider === 'openai' ? '"format":"mp3"' : '"mimeType":"audio/mp3"'
      expect((await api.post(ada, CHAT, { ...speech('mp3'), model })).status).toBe(200)
      expect((await api.post(ada, geminiPath(model), spoken('audio/mpeg'))).status).toBe(200)
      for (const at of [-1, -2]) expect(part(at)).toContain(named)
      for (const at of [-1, -2]) expect(part(at)).toContain('UklGRg==')
    }
    // The allowance of audio, which the fakes do not count.
    expect(await spentBy(api, ada)).toBeGreaterThan(0n)
  })

  test('is refused where the provider has no audio, and the error names the field', async () => {
    const model = 'on-anthropic'
    const asChat = await api.post(ada, CHAT, { ...speech('wav'), model })
    expect(asChat).toMatchObject({
      status: 400,
      body: { error: { param: 'messages[].content[].input_audio' } },
    })
    const asGemini = await api.post(ada, geminiPath(model), spoken('audio/wav'))
    expect(asGemini.status).toBe(400)
    expect(asGemini.text).toContain('inlineData')
    expect(await spentBy(api, ada)).toBe(0n)
  })
})
