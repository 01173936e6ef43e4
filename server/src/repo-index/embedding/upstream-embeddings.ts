// Embeds texts with an upstream model, in a few concurrent batches. All vectors must have the same dimension.

import { z } from 'zod'
import type { App } from '../../platform/app.ts'
import {
  EMBEDDING_LIMITS,
  sendUpstream,
  type Target,
  UpstreamFailed,
  type UpstreamReply,
} from '../../platform/inference/inference.ts'
import { concatVectors, quantize } from './vectors.ts'

/** A text with its number of tokens. */
export type CountedText = { readonly text: string; readonly tokens: number }
export type EmbeddingModel = { readonly target: Target; readonly model: string }

const BATCH = { texts: 96, tokens: 40_000 } as const
const CONCURRENT_BATCHES = 4
const DIMENSIONS_MAX = 4_096
const REPLY_BYTES_MAX = 32 * 1024 * 1024
// A search waits for this. Without a vector it still ranks by terms.
const QUERY_MS = 2_000

const Embeddings = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()) })),
})

/** Vectors in the order of the texts. Throws `UpstreamFailed`. */
export async function embedByUpstream(
  app: App,
  embedding: EmbeddingModel,
  texts: readonly CountedText[],
  signal: AbortSignal,
): Promise<Uint8Array> {
  const batches = batchesOf(texts)
  const vectors: Int8Array[][] = []
  const next = batches.entries()
  // A failed batch aborts the others, because nothing is stored then.
  const failed = new AbortController()
  const anyAbort = AbortSignal.any([signal, failed.signal])
  const work = async () => {
    for (const [at, batch] of next) vectors[at] = await embedBatch(app, embedding, batch, anyAbort)
  }
  try {
    await Promise.all(Array.from({ length: CONCURRENT_BATCHES }, work))
  } catch (error) {
    failed.abort()
    throw error
  }
  const all = vectors.flat()
  if (new Set(all.map(({ length }) => length)).size > 1)
    throw new UpstreamFailed('failed', 'it returned vectors of different dimensions')
  return concatVectors(all)
}

/** Null after an error or a timeout. The search then continues without a vector. */
export async function embedQueryByUpstream(
  app: App,
  embedding: EmbeddingModel,
  text: string,
  signal: AbortSignal,
): Promise<Int8Array | null> {
  try {
    const withTimeout = AbortSignal.any([signal, AbortSignal.timeout(QUERY_MS)])
    return (await embedBatch(app, embedding, [{ text, tokens: text.length }], withTimeout))[0] ?? null
  } catch (error) {
    app.log.warn({ err: error, model: embedding.model }, 'repo_index.query_embedding.failed')
    return null
  }
}

function batchesOf(texts: readonly CountedText[]): CountedText[][] {
  const batches: CountedText[][] = []
  let batch: CountedText[] = []
  let tokens = 0
  for (const text of texts) {
    if (batch.length > 0 && (batch.length === BATCH.texts || tokens + text.tokens > BATCH.tokens)) {
      batches.push(batch)
      batch = []
      tokens = 0
    }
    batch.push(text)
    tokens += text.tokens
  }
  return batch.length > 0 ? [...batches, batch] : batches
}

/** `sendUpstream` retries while no reply has started. */
async function embedBatch(
  app: App,
  { target, model }: EmbeddingModel,
  batch: readonly CountedText[],
  signal: AbortSignal,
): Promise<Int8Array[]> {
  const promptTokens = batch.reduce((sum, { tokens }) => sum + tokens, 0)
  const body = JSON.stringify({ model, input: batch.map(({ text }) => text), encoding_format: 'float' })
  const reply = await sendUpstream(app, target, '/embeddings', body, {
    signal,
    promptTokens,
    limits: EMBEDDING_LIMITS,
  })
  const text = await readText(reply)
  if (reply.status >= 300) throw new UpstreamFailed('failed', `it returned status ${reply.status}`)
  return parseVectors(text, batch.length)
}

function parseVectors(text: string, expected: number): Int8Array[] {
  const read = Embeddings.safeParse(parseJson(text))
  if (!read.success || read.data.data.length !== expected)
    throw new UpstreamFailed('failed', 'it returned no embeddings, or too few')
  const inOrder = read.data.data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
  const size = inOrder[0]?.embedding.length ?? 0
  if (size === 0 || size > DIMENSIONS_MAX || inOrder.some(({ embedding }) => embedding.length !== size))
    throw new UpstreamFailed('failed', 'it returned vectors of an unsupported dimension')
  return inOrder.map(({ embedding }) => quantize(embedding))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The schema check rejects null.
    return null
  }
}

async function readText(reply: UpstreamReply): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of reply.body) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > REPLY_BYTES_MAX) throw new UpstreamFailed('failed', 'its reply is too large')
  }
  return Buffer.concat(pieces).toString()
}
