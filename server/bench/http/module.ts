// Routes for benchmarks: they measure the request pipeline without the work of a product route.
import { z } from 'zod'
import { currencies } from '../../src/kernel/money.ts'
import { route } from '../../src/platform/http/route.ts'
import { minor, minorOut, text } from '../../src/platform/http/shapes.ts'
import type { Module } from '../../src/platform/module.ts'
import { debitOnce } from '../debits/debits.ts'
import { insertEffect } from '../sql.ts'
import { FRAME, FRAMES } from './requests.ts'

const Order = z.object({
  reference: text(100),
  amountMinor: minor(0n),
  currency: z.enum(currencies),
  quantity: z.int().min(1).max(1_000),
  note: text(500).optional(),
})

const OrderReply = z.object({
  reference: z.string(),
  amountMinor: minorOut,
  currency: z.enum(currencies),
  quantity: z.int(),
  note: z.string().optional(),
})

/** Streams wait here until all of them are open. */
let gate = Promise.withResolvers<void>()
export function openGate(): void {
  gate.resolve()
  gate = Promise.withResolvers()
}

export const bench: Module = {
  name: 'bench',
  routes: [
    route('bench.echo', 'POST /bench/echo', {
      summary: 'Validate an order and return it.',
      access: 'none',
      rate: 'global',
      body: Order,
      reply: { 200: OrderReply },
      handle: ({ body }) => body,
    }),

    route('bench.spend', 'POST /bench/spend', {
      summary: 'Insert one row under an idempotency key, in one transaction with the stored reply.',
      access: { scope: 'agent:run' },
      rate: 'money',
      idempotency: 'required',
      body: Order,
      reply: { 200: z.object({ id: z.string(), amountMinor: minorOut }) },
      handle: ({ actor, body, once }) =>
        once.commit(actor.orgId, async (tx) => {
          await insertEffect(tx, once.id, actor.orgId, body.amountMinor)
          return { id: once.id, amountMinor: body.amountMinor }
        }),
    }),

    route('bench.debit', 'POST /bench/debit', {
      summary: 'Reserve and settle on a benchmark wallet.',
      access: 'any',
      rate: 'money',
      body: z.object({ wallet: z.int().min(1).max(1_000) }),
      reply: { 200: z.object({ ok: z.literal(true) }) },
      handle: async ({ app, body }) => {
        await debitOnce(app, body.wallet)
        return { ok: true as const }
      },
    }),

    route('bench.stream', 'GET /bench/stream', {
      summary: 'Send frames one by one and yield to the event loop after each.',
      access: 'any',
      rate: 'global',
      stream: z.object({ index: z.int(), delta: z.string() }),
      handle: async ({ open }) => {
        const stream = open()
        await gate.promise
        for (let index = 0; index < FRAMES; index++) {
          await stream.send({ index, ...FRAME })
          await new Promise(setImmediate)
        }
        return undefined
      },
    }),
  ],
}
