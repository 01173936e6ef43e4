// The development model as an HTTP server on a loopback port, with the OpenAI API: chat completions, models, embeddings.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Message } from './prompt.ts'
import type { Tool } from './tools.ts'

export type ModelServer = { readonly baseUrl: string; close(): Promise<void> }
type CountTokens = (text: string) => number
type Fields = Record<string, unknown>

const MODELS = ['mock-open', 'mock-frontier']
const CREATED = Date.UTC(2026, 0, 1) / 1000
const TOKENS_PER_MESSAGE = 8
const DIMENSIONS = 512

export async function startModelServer(countTokens: CountTokens): Promise<ModelServer> {
  const server = createServer((request, response) => {
    handle(request, response, countTokens).catch((error: Error) => {
      if (response.headersSent) response.destroy()
      else send(response, 400, { error: { message: error.message } })
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function handle(request: IncomingMessage, response: ServerResponse, countTokens: CountTokens) {
  const body = recordOf(JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString() || '{}'))
  const path = `${request.method} ${request.url}`
  if (path === 'POST /v1/chat/completions') return complete(body, response, countTokens)
  if (path === 'POST /v1/embeddings') return send(response, 200, embeddingsOf(body, countTokens))
  const data = MODELS.map((id) => ({ id, object: 'model', created: CREATED, owned_by: 'cowrie' }))
  if (path === 'GET /v1/models') return send(response, 200, { object: 'list', data })
  send(response, 404, { error: { message: `no route ${path}` } })
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function complete(body: Fields, response: ServerResponse, countTokens: CountTokens): Promise<void> {
  // Loaded with the first request, because most test servers never call a model.
  const { replyWithTools } = await import('./reply.ts')
  const messages = (body.messages as Message[]).map((each) => ({ ...each, content: textOf(each.content) }))
  const tools = body.tool_choice === 'none' ? [] : ((body.tools ?? []) as Tool[])
  const reply = replyWithTools(messages, tools)
  const [whole, call] = typeof reply === 'string' ? [reply] : ['', reply]
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 24)
  const common = { id: `chatcmpl-${hash}`, created: CREATED, model: body.model ?? MODELS[0] }
  const calls = call ? [{ index: 0, id: `call_${hash}`, type: 'function', function: call }] : undefined
  const limits = [body.max_tokens, body.max_completion_tokens].filter((each) => typeof each === 'number')
  const text = withinTokens(whole, Math.min(Number.MAX_SAFE_INTEGER, ...limits), countTokens)
  const prompt = messages.reduce((sum, { content }) => sum + countTokens(content) + TOKENS_PER_MESSAGE, 0)
  const prompt_tokens = prompt + (tools.length > 0 ? countTokens(JSON.stringify(tools)) : 0)
  const completion_tokens = countTokens(call ? call.name + call.arguments : text)
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
  const finish = call ? 'tool_calls' : text.length < whole.length ? 'length' : 'stop'
  if (body.stream !== true) {
    const message = { role: 'assistant', content: call ? null : text, ...(calls && { tool_calls: calls }) }
    const choices = [{ index: 0, message, finish_reason: finish }]
    return send(response, 200, { ...common, object: 'chat.completion', choices, usage })
  }
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...{ ...common, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] },
  })
  await stream(response, [
    chunk({ role: 'assistant', content: '' }),
    ...(text.match(/(?:\s*\S{1,80}){1,4}\s*|\s+/g) ?? []).map((content) => chunk({ content })),
    ...(calls ? [chunk({ tool_calls: calls })] : []),
    chunk({}, finish),
    ...(recordOf(body.stream_options).include_usage === true ? [{ ...chunk({}), choices: [], usage }] : []),
  ])
}

async function stream(response: ServerResponse, events: readonly object[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    if (response.destroyed) return
    const isFull = !response.write(`data: ${JSON.stringify(event)}\n\n`)
    if (isFull) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
    // Sends each piece in a separate packet, and detects a closed connection.
    else await setImmediate()
  }
  response.end('data: [DONE]\n\n')
}

/** A beginning of the text that fits. A surrogate pair is not split. */
function withinTokens(text: string, tokens: number, countTokens: CountTokens): string {
  let start = text
  while (countTokens(start) > tokens) start = start.slice(0, Math.floor(start.length * 0.9))
  return start.replace(/[\ud800-\udbff]$/, '')
}

/** Hashed words: equal texts have equal vectors, and texts with common words are close to each other. */
function embeddingsOf({ input, dimensions, encoding_format }: Fields, countTokens: CountTokens): object {
  const isTokens = typeof [input].flat()[0] === 'number'
  const texts = (isTokens ? [input] : [input].flat()).map(String)
  const data = texts.map((text, index) => {
    const vector = new Float32Array(Number(dimensions ?? DIMENSIONS))
    for (const word of text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|\p{N}+/gu) ?? []) {
      const hash = createHash('sha256').update(word.toLowerCase()).digest()
      const place = hash.readUInt32BE() % vector.length
      vector[place] = (vector[place] ?? 0) + (hash.readInt8(4) < 0 ? -1 : 1)
    }
    const length = Math.hypot(...vector) || 1
    const unit = vector.map((each) => each / length)
    const packed = Buffer.from(unit.buffer).toString('base64')
    return { object: 'embedding', index, embedding: encoding_format === 'base64' ? packed : [...unit] }
  })
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0)
  const usage = { prompt_tokens: tokens, total_tokens: tokens }
  return { object: 'list', model: `hash-${DIMENSIONS}`, data, usage }
}

const recordOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

/** The text parts of a list. */
const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part) => recordOf(part).text ?? '').join('\n') : String(content ?? '')
