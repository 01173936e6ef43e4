// Routes about the service itself: health, readiness, version, API document and metrics.
import { z } from 'zod'
import { ApiError } from '../../kernel/errors.ts'
import { API_VERSION } from '../config.ts'
import { answer } from './answer.ts'
import { raw, route } from './route.ts'
import { publish } from './static/published-document.ts'

const READY_MS = 1_000

export const BuildVersion = z
  .object({
    version: z.string(),
    apiVersion: z.int(),
    commit: z.string(),
    builtAt: z.string().nullable(),
    environment: z.string(),
  })
  .meta({ id: 'BuildVersion' })

/** `document` prints the OpenAPI document. */
export function systemRoutes(document: () => string) {
  const copyFor = publish(document)
  return [
    route('system.health', 'GET /health', {
      summary: 'Say that the process is alive.',
      access: 'none',
      rate: null,
      reply: { 200: z.object({ ok: z.boolean() }) },
      handle: () => ({ ok: true }),
    }),

    route('system.ready', 'GET /readyz', {
      summary: 'Say that the service can work: its database answers, and it is not about to stop.',
      access: 'none',
      rate: 'global',
      reply: { 200: z.object({ ready: z.literal(true) }) },
      errors: ['restarting'],
      handle: async ({ app }) => {
        await app.db.ping(READY_MS).catch(() => {
          throw new ApiError('database_unavailable')
        })
        return { ready: true as const }
      },
    }),

    route('system.version', 'GET /version', {
      summary: 'Say which build answers and which API version it speaks.',
      access: 'none',
      rate: 'global',
      reply: { 200: BuildVersion },
      handle: ({ app: { config } }) => ({
        version: config.version,
        apiVersion: API_VERSION,
        commit: config.commit,
        builtAt: config.builtAt,
        environment: config.environment,
      }),
    }),

    route('system.openapi', 'GET /openapi.json', {
      summary: 'This document.',
      detail:
        'Send the `ETag` of your copy as `If-None-Match`: an unchanged document answers 304 without a body.',
      access: 'none',
      rate: 'document',
      reply: {
        200: raw('application/json; charset=utf-8', 'The OpenAPI 3.1 document.'),
        304: raw('', 'Your copy is current.'),
      },
      handle: async ({ request }) => {
        const { etag, encoding, isUnchanged, body } = await copyFor(request.headers)
        const headers = { 'cache-control': 'no-cache', vary: 'accept-encoding', etag }
        if (isUnchanged) return answer(304, '', headers)
        return answer(200, body, encoding ? { ...headers, 'content-encoding': encoding } : headers)
      },
    }),

    route('system.metrics', 'GET /metrics', {
      summary: 'Numbers for Prometheus.',
      access: { machine: 'metrics' },
      rate: 'global',
      reply: { 200: raw('text/plain; version=0.0.4; charset=utf-8', 'Prometheus text exposition.') },
      handle: ({ app }) => app.metrics.exposition(),
    }),
  ]
}
