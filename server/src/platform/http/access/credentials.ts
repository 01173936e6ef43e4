// The credentials of a request. Clients of other services send their API key in the header or query of that service.
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../../kernel/errors.ts'
import type { Credentials } from './access.ts'

/** Where clients of each API send their key, besides `Authorization`. */
const KEY_HEADERS = ['x-api-key', 'x-goog-api-key'] as const
const COMPATIBLE = /^\/v1(?:beta)?\//
const GEMINI = /^\/v1beta\//

/** Prepares reading the credentials of one route. All of those sent must be the same key. */
export function createCredentialReader(path: string): (request: FastifyRequest) => Credentials {
  if (!COMPATIBLE.test(path)) return ({ headers: { authorization, cookie } }) => ({ authorization, cookie })
  const hasQueryKey = GEMINI.test(path)
  return ({ headers, query }) => {
    const keys = KEY_HEADERS.map((name) => headers[name])
    if (hasQueryKey) keys.push((query as Record<string, string | string[] | undefined>).key)
    const sent = new Set(keys.flat().filter((key) => key))
    const { authorization, cookie } = headers
    if (sent.size === 0) return { authorization, cookie }
    const bearer = authorization?.replace(/^Bearer(?: |$)/i, '')
    if (bearer) sent.add(bearer)
    const [key, ...others] = sent
    if (others.length > 0) throw differingKeys(hasQueryKey)
    return { authorization: `Bearer ${key}`, cookie }
  }
}

const differingKeys = (hasQueryKey: boolean): ApiError =>
  new ApiError('unauthenticated', {
    error: `The request has several different API keys. Send one key, in one of the headers Authorization, ${KEY_HEADERS.join(' and ')}${hasQueryKey ? ', or as the parameter key' : ''}.`,
  })
