// Routes that reserve and settle money without doing any work. The chaos run uses them as load.
import { z } from 'zod'
import { after } from '../src/kernel/clock.ts'
import { ApiError } from '../src/kernel/errors.ts'
import { route } from '../src/platform/http/route.ts'
import { minor, minorOut, text } from '../src/platform/http/shapes.ts'
import type { Module } from '../src/platform/module.ts'
import { type HoldId, reserve, settle } from '../src/wallet/wallet.ts'

/** Short, so that the holds of killed work expire during the run. */
const HOLD_SECONDS = 5

export const chaos: Module = {
  name: 'chaos',
  routes: [
    route('chaos.reserve', 'POST /chaos/reserve', {
      summary: 'Reserve money without doing any work.',
      access: 'any',
      rate: 'global',
      body: z.object({ ref: text(100), amountMinor: minor(1n) }),
      reply: { 200: z.object({ holdId: z.string(), state: z.string(), chargedMinor: minorOut }) },
      errors: ['bad_request'],
      handle: async ({ app, actor, body }) => {
        const { orgId, userId } = actor
        const deadline = after(app.clock.now(), { seconds: HOLD_SECONDS })
        const reserved = await reserve(app, { orgId, userId, ...body, source: 'agent', terms: {}, deadline })
        if (!reserved.ok) throw new ApiError('bad_request', { reason: reserved.reason })
        const { holdId, state, chargedMinor } = reserved.hold
        return { holdId, state, chargedMinor }
      },
    }),

    route('chaos.settle', 'POST /chaos/settle', {
      summary: 'Settle a hold.',
      access: 'any',
      rate: 'global',
      body: z.object({ holdId: text(100), amountMinor: minor(0n) }),
      reply: { 200: z.object({ state: z.string(), chargedMinor: minorOut }) },
      handle: async ({ app, actor, body }) => {
        const { amountMinor } = body
        const holdId = body.holdId as HoldId
        const { hold } = await settle(app, { orgId: actor.orgId, holdId, amountMinor, usage: null })
        return { state: hold.state, chargedMinor: hold.chargedMinor }
      },
    }),
  ],
}
