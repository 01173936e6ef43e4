// The baseline server: the same framework and driver return the same JSON, without our request pipeline.
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { openPool } from '../../src/platform/db/pool.ts'
import { answer, processUsage, type Question } from '../processes.ts'
import { FRAME, FRAMES } from './requests.ts'

const { DATABASE_URL = '', BENCH_ME = '{}', SERVICE_DATABASE_POOL } = process.env
const sql = openPool(DATABASE_URL, { max: Number(SERVICE_DATABASE_POOL) })
const me = JSON.parse(BENCH_ME) as { userId?: string }
const userId = me.userId ?? ''
const http = fastify({ logger: false })
let gate = Promise.withResolvers<void>()

const order = {
  type: 'object',
  required: ['reference', 'amountMinor', 'currency', 'quantity'],
  properties: {
    reference: { type: 'string', minLength: 1, maxLength: 100 },
    amountMinor: { type: 'integer', minimum: 0 },
    currency: { enum: ['NGN', 'KES', 'GHS', 'ZAR', 'EGP', 'UGX', 'XOF'], type: 'string' },
    quantity: { type: 'integer', minimum: 1, maximum: 1000 },
    note: { type: 'string', minLength: 1, maxLength: 500 },
  },
}
type Order = { amountMinor: number }

http.get('/health', () => ({ ok: true }))
http.get('/me', () => me)
http.get('/me-row', async () => {
  await sql.rows`select id, email, verified_at, mfa_enabled from users where id = ${userId}`
  return me
})
http.post('/bench/echo', { schema: { body: order, response: { 200: order } } }, ({ body }) => body as Order)
http.post('/bench/spend', { schema: { body: order } }, async ({ body, headers }) => {
  const id = String(headers['idempotency-key'])
  const reply = { id, amountMinor: (body as Order).amountMinor }
  await sql.begin(async (tx) => {
    await tx.rows`insert into bench_effects (id, org_id, minor, created_at) values (${id}, 'org', ${reply.amountMinor}, now())`
    await tx.rows`insert into bench_outcomes (id, body, created_at) values (${id}, ${JSON.stringify(reply)}, now())`
  })
  return reply
})
http.get('/bench/stream', async (_request, reply) => {
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).flushHeaders()
  await gate.promise
  for (let index = 0; index < FRAMES; index++) {
    reply.raw.write(`data: ${JSON.stringify({ index, ...FRAME })}\n\n`)
    await new Promise(setImmediate)
  }
  reply.raw.end()
})

await sql.rows`select 1`
await http.listen({ port: Number(process.env.PORT ?? 0), host: '127.0.0.1' })

answer(
  (question: Question) => {
    if (question === 'go') {
      gate.resolve()
      gate = Promise.withResolvers()
    }
    return question === 'port'
      ? (http.server.address() as AddressInfo).port
      : processUsage(question === 'memory')
  },
  () => Promise.all([http.close(), sql.end()]),
)
