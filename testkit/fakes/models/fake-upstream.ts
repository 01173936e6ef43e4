// A fake model provider: a real OpenAI-compatible server on loopback with scripted replies.
import { createHash } from 'node:crypto'
import { type FakeProvider, type StreamFormat, sseEvent, startFakeProvider } from './fake-provider.ts'
import {
  chunkOf,
  completionOf,
  type FakeReply,
  type FakeRequest,
  type PlannedReply,
  planReply,
  toolChunksOf,
  usageChunkOf,
} from './fake-reply.ts'

export { gate } from './fake-provider.ts'
export type { FakeAnswer, FakeReply, FakeRequest, StreamPiece } from './fake-reply.ts'

/** Its URL ends in /v1. */
export type FakeUpstream = FakeProvider

const NOT_HERE: FakeReply = { status: 404, body: { error: { message: 'no such address' } } }

export const startFakeUpstream = (): Promise<FakeUpstream> =>
  startFakeProvider({
    version: '/v1',
    replyTo(request, next) {
      if (request.path === '/chat/completions') return next()
      if (request.path === '/embeddings') return { body: embeddingsOf(request) }
      if (request.path === '/models') return { body: { object: 'list', data: [{ id: 'small-1' }] } }
      return NOT_HERE
    },
    plan(request, reply, count) {
      const plan = planReply(request, reply, count)
      return {
        ...plan,
        isStream: request.body.stream === true,
        completion: () => completionOf(plan),
        format: chunksOf(plan),
      }
    },
  })

function chunksOf(plan: PlannedReply): StreamFormat {
  const event = (data: unknown) => sseEvent(plan, JSON.stringify(data))
  return {
    opening: plan.byteOrderMark ? ['\uFEFF'] : [],
    text: (content) => event(chunkOf(plan, { content })),
    event,
    closing() {
      const saysUsage = plan.usage !== 'none' && (plan.usageIn ?? 'own') === 'own' && plan.saysUsage
      return [
        ...toolChunksOf(plan).map(event),
        ...(plan.finish === null ? [] : [event(chunkOf(plan, {}, plan.finish))]),
        ...(saysUsage ? [event(usageChunkOf(plan))] : []),
        ...Array.from({ length: plan.done ?? 1 }, () => sseEvent(plan, '[DONE]')),
      ]
    },
  }
}

const DIMENSIONS = 64

/** Equal texts have equal vectors. The vectors have no meaning. */
function embeddingsOf({ body }: FakeRequest): object {
  const { input: given } = body
  const isTokens = Array.isArray(given) && typeof given[0] === 'number'
  const inputs = (isTokens ? [given] : [given].flat()).map(String)
  const dimensions = Number(body.dimensions ?? DIMENSIONS)
  const tokens = inputs.reduce((sum, input) => sum + Math.ceil(input.length / 4), 0)
  return {
    object: 'list',
    model: body.model,
    data: inputs.map((input, index) => {
      const vector = vectorOf(input, dimensions)
      const isPacked = body.encoding_format === 'base64'
      return { object: 'embedding', index, embedding: isPacked ? packed(vector) : vector }
    }),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

function vectorOf(text: string, dimensions: number): number[] {
  const bytes = Array.from({ length: Math.ceil(dimensions / 32) }, (_, block) => [
    ...createHash('sha256').update(`${block} ${text}`).digest(),
  ]).flat()
  const raw = bytes.slice(0, dimensions).map((byte) => byte - 127.5)
  const length = Math.hypot(...raw)
  return raw.map((each) => Math.fround(each / length))
}

const packed = (vector: readonly number[]): string =>
  Buffer.from(new Float32Array(vector).buffer).toString('base64')
