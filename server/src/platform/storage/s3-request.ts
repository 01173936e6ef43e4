// Sends signed requests to an S3 server, with timeouts and retries.
import { ReadableStream, type ReadableStreamDefaultReader } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AwsClient } from 'aws4fetch'
import { ApiError } from '../../kernel/errors.ts'

export type S3Request = {
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'HEAD'
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: Blob | Buffer
  readonly bytes?: number
}

export type S3Response = {
  readonly status: number
  readonly headers: Headers
  /** The error code of the server, such as NoSuchKey. */
  readonly code: string | undefined
  /** The content; empty unless the status is 200. */
  readonly stream: ReadableStream<Uint8Array>
}

/** Timeouts for the answer and for each read of the body. */
export type S3Timeouts = { readonly answerMs: number; readonly readMs: number }
const TIMES: S3Timeouts = { answerMs: 15_000, readMs: 30_000 }

export type Sender = (request: S3Request) => Promise<S3Response>

const ATTEMPTS = 4
const PAUSE_MS = 200
/** The minimum upload rate; it extends the timeout for large bodies. */
const UPLOAD_BYTES_PER_MS = 128
const ERROR_BYTES_MAX = 8_192

/** All requests are idempotent and retried. When the server stays unavailable, it fails with `storage_unavailable`. */
export function createSender(client: AwsClient, times: S3Timeouts = TIMES): Sender {
  return async (request) => {
    let cause: unknown
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) await sleep(PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2))
      try {
        const answer = await send(client, request, times)
        if (answer.status < 500 && answer.status !== 429) return answer
        cause = new Error(
          `The storage server answered ${answer.status}${answer.code ? ` ${answer.code}` : ''}.`,
        )
      } catch (error) {
        cause = error
      }
    }
    throw Object.assign(new ApiError('storage_unavailable'), { cause })
  }
}

async function send(
  client: AwsClient,
  { method, url, headers = {}, body, bytes = 0 }: S3Request,
  times: S3Timeouts,
): Promise<S3Response> {
  const signed = await client.sign(url, { method, headers, ...(body ? { body } : {}) } as RequestInit)
  // Not signed, because proxies change it. The content must arrive as it was stored, not compressed.
  signed.headers.set('accept-encoding', 'identity')

  const abort = new AbortController()
  const timer = setTimeout(
    () => abort.abort(new Error('The storage server did not answer in time.')),
    times.answerMs + bytes / UPLOAD_BYTES_PER_MS,
  )
  try {
    const response = await fetch(signed, { redirect: 'manual', signal: abort.signal })
    if (response.status === 200 && method === 'GET' && response.body)
      return {
        status: 200,
        headers: response.headers,
        code: undefined,
        stream: withReadTimeout(response.body, times.readMs),
      }
    const text = await readStart(response)
    return {
      status: response.status,
      headers: response.headers,
      code: /<Code>(\w+)<\/Code>/.exec(text)?.[1],
      stream: ReadableStream.from([]),
    }
  } finally {
    clearTimeout(timer)
  }
}

async function readStart(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    pieces.push(piece)
    bytes += piece.byteLength
    if (bytes >= ERROR_BYTES_MAX) break
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** The same stream, which fails when a read takes longer than `readMs`. */
function withReadTimeout(body: ReadableStream<Uint8Array>, readMs: number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await readInTime(reader, readMs)
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>, readMs: number) {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const reason = new Error('The storage server stopped sending data.')
    late.reject(reason)
    void reader.cancel(reason)
  }, readMs)
  try {
    return await Promise.race([reader.read(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
