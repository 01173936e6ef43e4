// Routes for tests of the HTTP pipeline. Their effects can be counted.

import { ApiError } from '@cowrie/server/src/kernel/errors.ts'
import type { App } from '@cowrie/server/src/platform/app.ts'
import type { Actor } from '@cowrie/server/src/platform/http/actor.ts'
import type { Once } from '@cowrie/server/src/platform/http/idempotency/idempotency.ts'
import { route } from '@cowrie/server/src/platform/http/route.ts'
import { minor, minorOut, pageQuery, queryFlag, text } from '@cowrie/server/src/platform/http/shapes.ts'
import type { Module } from '@cowrie/server/src/platform/module.ts'
import { z } from 'zod'

const Spend = z.object({
  amountMinor: minor(1n),
  note: text(200).optional(),
  wait: text(40).optional(),
  fail: z.enum(['refuse', 'break', 'busy']).optional(),
})
const Spent = z.object({ id: z.string(), amountMinor: minorOut, total: z.int() })
type SpendInput = z.output<typeof Spend>

/** Gates that a test opens to let a waiting call continue. */
export const gates = new Map<string, Promise<void>>()

/** Gates that a call has reached. */
export const reachedGates = new Set<string>()

/** Renews the lease of a waiting call, by the name of its gate. */
export const renewals = new Map<string, () => void>()

/** Closes a gate. The returned function opens it. */
export function closeGate(name: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  gates.set(name, promise)
  reachedGates.delete(name)
  return resolve
}

function waitAtGate(door: string): Promise<void> | undefined {
  reachedGates.add(door)
  return gates.get(door)
}

async function spend(app: App, actor: Actor, body: SpendInput, once: Once) {
  if (body.wait) await waitAtGate(body.wait)
  return once.commit(actor.orgId, async (tx) => {
    await tx.rows`insert into probe_spends (id, org_id, minor) values (${once.id}, ${actor.orgId}, ${body.amountMinor})`
    if (body.fail === 'refuse') throw new ApiError('not_found')
    if (body.fail === 'busy') throw new ApiError('busy')
    if (body.fail === 'break') throw new Error('a bug in a handler')
    const { total } = await tx.one<{ total: number }>`select count(*)::int as total from probe_spends`
    app.log.debug({}, 'spent')
    return { id: once.id, amountMinor: body.amountMinor, total }
  })
}

export const probe: Module = {
  name: 'probe',
  routes: [
    route('probe.spend', 'POST /probe/spend', {
      summary: 'Spend with an optional key.',
      access: { scope: 'agent:run' },
      paid: true,
      rate: 'money',
      idempotency: 'optional',
      body: Spend,
      reply: { 200: Spent },
      handle: ({ app, actor, body, once }) => spend(app, actor, body, once),
    }),
    route('probe.form', 'POST /probe/form', {
      summary: 'Accept a form, also from other sites.',
      access: 'none',
      rate: 'auth',
      fromOtherSites: true,
      form: true,
      body: z.object({ word: text(40) }),
      reply: { 200: z.object({ word: z.string() }) },
      handle: ({ body }) => ({ word: body.word }),
    }),
    route('probe.refund', 'POST /probe/refund', {
      summary: 'Spend with a required key.',
      access: { staff: ['billing', 'operator', 'super_admin'] },
      rate: 'money',
      idempotency: 'required',
      body: Spend,
      reply: { 200: Spent },
      handle: ({ app, actor, body, once }) => spend(app, actor, body, once),
    }),
    route('probe.stream', 'POST /probe/stream', {
      summary: 'Stream frames and store the last one.',
      access: { scope: 'agent:run' },
      paid: true,
      rate: 'money',
      idempotency: 'optional',
      body: z.object({
        frames: z.int().min(0).max(100_000),
        size: z.int().min(1).max(2_000_000).optional(),
        wait: text(40).optional(),
        renew: z.boolean().optional(),
        fail: z.enum(['before', 'during']).optional(),
      }),
      stream: z.object({
        delta: z.string().optional(),
        done: z.boolean().optional(),
        spends: z.int().optional(),
      }),
      errors: ['not_found'],
      handle: async ({ app, actor, body, once, open }) => {
        if (body.fail === 'before') throw new ApiError('not_found')
        const stream = open()
        for (let i = 0; i < body.frames && !stream.closed.aborted; i++)
          await stream.send({ delta: 'x'.repeat(body.size ?? 5) })
        if (body.wait && body.renew) renewals.set(body.wait, () => void once.renew())
        if (body.wait) await gates.get(body.wait)
        if (body.fail === 'during') throw new Error('a bug in the middle')
        return once.commit(actor.orgId, async (tx) => {
          await tx.rows`insert into probe_spends (id, org_id, minor) values (${once.id}, ${actor.orgId}, 1)`
          const { spends } = await tx.one<{
            spends: number
          }>`select count(*)::int as spends from probe_spends`
          app.log.debug({}, 'streamed')
          return { done: true, spends }
        })
      },
    }),
    route('probe.flood', 'GET /probe/flood', {
      summary: 'Write frames without backpressure.',
      access: 'any',
      rate: 'global',
      stream: z.object({ filler: z.string() }),
      handle: async ({ open }) => {
        const stream = open()
        for (let i = 0; i < 5_000 && !stream.closed.aborted; i++) {
          void stream.send({ filler: 'x'.repeat(8_192) })
          if (i % 8 === 0) await new Promise(setImmediate)
        }
        return { filler: 'end' }
      },
    }),
    route('probe.list', 'GET /probe/items/{itemId}', {
      summary: 'Read a list.',
      access: 'any',
      rate: 'global',
      query: z.object({ ...pageQuery(), deep: queryFlag.optional() }),
      reply: { 200: z.object({ limit: z.int(), itemId: z.string() }) },
      handle: ({ query, params }) => ({ limit: query.limit, itemId: params.itemId ?? '' }),
    }),
    route('probe.owner', 'PUT /probe/orgs/{orgId}/thing', {
      summary: 'Update a resource of an organisation as its owner.',
      access: { role: 'owner', orgParam: 'orgId' },
      rate: 'global',
      body: z.object({ name: text(50) }),
      reply: { 200: z.object({ name: z.string() }) },
      handle: ({ body }) => ({ name: body.name }),
    }),
    route('probe.person', 'DELETE /probe/person', {
      summary: 'Require a session.',
      access: 'session',
      rate: 'global',
      reply: { 200: z.object({ ok: z.literal(true) }) },
      handle: () => ({ ok: true as const }),
    }),
    route('probe.money', 'POST /probe/money', {
      summary: 'Return an amount exactly.',
      access: 'any',
      rate: 'global',
      body: z.object({ amountMinor: minor(), other: z.unknown().optional() }),
      reply: { 200: z.object({ amountMinor: minorOut }) },
      handle: ({ body }) => ({ amountMinor: body.amountMinor }),
    }),
    route('probe.internal', 'POST /probe/internal', {
      summary: 'For machines.',
      access: { machine: 'internal' },
      rate: 'webhook',
      reply: { 200: z.object({ ok: z.literal(true) }) },
      handle: () => ({ ok: true as const }),
    }),
    route('probe.rail', 'POST /probe/rail', {
      summary: 'Accept a signed webhook.',
      access: {
        rail: 'probe',
        proof: (_app, { raw, headers }) => {
          if (headers['x-probe-signature'] !== `${raw.length}`) throw new ApiError('invalid_signature')
        },
      },
      rate: 'webhook',
      reply: { 200: z.object({ bytes: z.int() }) },
      handle: ({ request }) => ({ bytes: request.raw?.length ?? 0 }),
    }),
    route('probe.bug', 'GET /probe/bug', {
      summary: 'Break.',
      access: 'any',
      rate: 'global',
      reply: { 200: z.object({ ok: z.boolean() }) },
      handle: () => {
        throw new Error('secret detail of a bug in /srv/app')
      },
    }),
    route('probe.slow', 'GET /probe/slow', {
      summary: 'Exceed the timeout.',
      access: 'any',
      rate: 'global',
      timeoutMs: 100,
      reply: { 200: z.object({ ok: z.boolean() }) },
      handle: async () => {
        await gates.get('slow')
        return { ok: true }
      },
    }),
  ],
}

export const PROBE_TABLES = [
  'create table probe_spends (id text primary key, org_id text not null, minor bigint not null)',
  "call enable_tenant_rls('probe_spends')",
  'grant all on probe_spends to cowrie_app',
]
