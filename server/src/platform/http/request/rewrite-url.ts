// Addresses of models that clients of other services send in their own way, as the routes describe them.
import type { IncomingMessage } from 'node:http'

const MODELS = '/v1/models'
const MODEL_URL = /^(\/v1(?:beta)?\/models)(?:(\/)([^?]+))?(\?.*)?$/s
const GEMINI_VERBS = /:(?:generateContent|streamGenerateContent|countTokens)$/

/** Most addresses are returned as they are. */
export function rewriteUrl({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  if (!url.startsWith('/v1')) return url
  const [, list, slash = '', id = '', query = ''] = MODEL_URL.exec(url) ?? []
  if (list === undefined) return url
  // Google's clients of 2026 call /v1 by default; earlier ones call /v1beta.
  const isGemini = GEMINI_VERBS.test(id) || headers['x-goog-api-client'] !== undefined
  // An id may contain slashes, which clients do not always encode.
  return (isGemini && list === MODELS ? '/v1beta/models' : list) + slash + id.replaceAll('/', '%2F') + query
}
