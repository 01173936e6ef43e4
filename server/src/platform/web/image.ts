// Fetches images from untrusted addresses with the checks of pages: only the public internet, also after redirects. An image is
// fetched for one caller who asks for it, so robots.txt does not apply.
import { followRedirects } from './follow-redirects.ts'
import { createHostLimiter } from './host-limiter.ts'
import type { WebResponse } from './http-request.ts'
import { PageRefused, type WebRules } from './page.ts'
import { readBody } from './page-content.ts'
import { WEB_ENVIRONMENT, type WebEnvironment } from './web-environment.ts'

export const IMAGE_BYTES_MAX = 5 * 1024 * 1024
export const IMAGE_SECONDS_MAX = 5
const IMAGE_MS = IMAGE_SECONDS_MAX * 1_000
const OPEN_AT_HOST_MAX = 5

export type FetchImage = (address: string, rules: WebRules, signal: AbortSignal) => Promise<Buffer>

/** A fetcher with its own limits per host. The process uses one, below. */
export function createImageFetcher(web: WebEnvironment, totalMs = IMAGE_MS): FetchImage {
  const limits = {
    ...web.limits,
    connectMs: totalMs,
    headersMs: totalMs,
    pageMs: totalMs,
    queueMs: totalMs,
    textBytes: IMAGE_BYTES_MAX,
    pdfBytes: IMAGE_BYTES_MAX,
  }
  // The port of https alone: plain http is refused, also after a redirect.
  const environment = { ...web, limits, ports: new Set([443]) }
  const limiter = createHostLimiter(web.timer, { intervalMs: 0, openAtHostMax: OPEN_AT_HOST_MAX })
  return async (address, rules, signal) => {
    const request = { rules, accept: 'image/*', signal, admit: async () => 0, read: readImage }
    const { content } = await followRedirects(address, request, { environment, limiter })
    return content
  }
}

/** Fetches an image. Throws `PageRefused`, or the abort reason of the caller. */
export const fetchImage: FetchImage = createImageFetcher(WEB_ENVIRONMENT)

async function readImage(response: WebResponse): Promise<Buffer> {
  const { status } = response
  if (status !== 200 && status !== 203) throw new PageRefused(`http_${status}`, { status })
  const bytes = await readBody(response, { bytesMax: IMAGE_BYTES_MAX, overflow: 'refuse' })
  if (bytes.length === 0) throw new PageRefused('empty', { status })
  return bytes
}

const SIGNATURES: readonly (readonly [type: string, signature: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
]

/** The type by the first bytes, whatever the server declared; null for other content. */
export function imageTypeOf(bytes: Buffer): string | null {
  const beginning = bytes.toString('latin1', 0, 16)
  return SIGNATURES.find(([, signature]) => signature.test(beginning))?.[0] ?? null
}
