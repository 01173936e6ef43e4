// Sends large request bodies compressed. The files of a folder shrink to about a fifth.
import { createCustomerClient } from '@cowrie/sdk'
import { send } from './api.ts'

/** Smaller bodies gain nothing. */
const LEAST_CHARACTERS = 2_000

export const uploads = createCustomerClient({ baseUrl: '', retries: 1, fetch: sendCompressed })

async function sendCompressed(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { body, headers } = init
  const isLarge = typeof body === 'string' && body.length >= LEAST_CHARACTERS
  if (!isLarge || !(headers instanceof Headers) || typeof CompressionStream === 'undefined')
    return send(input, init)
  headers.set('content-encoding', 'gzip')
  const packed = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'))
  return send(input, { ...init, body: await new Response(packed).arrayBuffer() })
}
