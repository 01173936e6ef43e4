// The service about itself.
import { z } from 'zod'
import { ApiError } from '../../kernel/errors.ts'
import { API_VERSION } from '../config.ts'
import { redirect } from './answer.ts'
import { raw, route } from './route.ts'

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

/** `document` is the printed OpenAPI, made once. */
export const systemRoutes = (document: () => string) => [
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
    access: 'none',
    rate: null,
    reply: { 200: raw('application/json; charset=utf-8', 'The OpenAPI 3.1 document.') },
    handle: ({ request }) => {
      request.setHeader('cache-control', 'no-cache')
      return document()
    },
  }),

  route('system.metrics', 'GET /metrics', {
    summary: 'Numbers for Prometheus.',
    access: { machine: 'metrics' },
    rate: 'global',
    reply: { 200: raw('text/plain; version=0.0.4; charset=utf-8', 'Prometheus text exposition.') },
    handle: ({ app }) => app.metrics.exposition(),
  }),

  route('system.root', 'GET /', {
    summary: 'Go to the app.',
    access: 'none',
    rate: 'global',
    reply: { 302: raw('', 'To /app.') },
    handle: () => redirect('/app'),
  }),
]
