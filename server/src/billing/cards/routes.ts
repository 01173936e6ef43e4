// Routes of stored cards.
import { z } from 'zod'
import { route } from '../../platform/http/route.ts'
import { minorOut, text, timestamp } from '../../platform/http/shapes.ts'
import { listCards } from './cards.ts'
import { addCard, removeCard, setDefaultCard } from './manage-cards.ts'

const Card = z
  .object({
    id: z.string(),
    brand: z.string(),
    last4: z.string(),
    expMonth: z.int(),
    expYear: z.int(),
    bank: z.string().nullable(),
    isDefault: z.boolean().meta({ description: 'Charged first on renewals and upgrades.' }),
    createdAt: timestamp,
    expired: z.boolean().meta({ description: 'Past its expiry month. An expired card is never charged.' }),
  })
  .meta({ id: 'Card' })

const CardParams = z.object({ id: text(100) })
const EmptyBody = z.object({})

export const cardRoutes = [
  route('paymentMethods.list', 'GET /payment-methods', {
    summary: 'List the stored cards of your organisation, the default card first.',
    access: 'any',
    rate: 'global',
    reply: { 200: z.object({ paymentMethods: z.array(Card) }) },
    handle: async ({ app, actor }) => ({ paymentMethods: await listCards(app, actor.orgId) }),
  }),

  route('paymentMethods.add', 'POST /payment-methods', {
    summary: 'Start adding a card with a small payment, which is credited to your wallet.',
    detail:
      'Open `authorizationUrl` and pay there. The card is stored when the provider confirms the payment, and the amount is credited to your wallet. The first card becomes the default. Adding the same card again replaces it. You can store 10 cards. At most 20 card payments of the last hour may be unpaid.',
    access: { role: 'owner' },
    rate: 'money',
    paid: true,
    idempotency: 'optional',
    audit: true,
    body: EmptyBody,
    reply: {
      200: z.object({
        reference: z.string(),
        authorizationUrl: z.string(),
        amountMinor: minorOut.meta({
          description: 'The amount of the payment, which is credited to the wallet.',
        }),
        currency: z.string(),
      }),
    },
    errors: [
      'channel_not_available',
      'change_in_progress',
      'payment_refused',
      'limit_reached',
      'payments_not_configured',
      'rail_unavailable',
    ],
    handle: ({ app, actor, once, request }) => addCard(app, actor, once, request.address),
  }),

  route('paymentMethods.setDefault', 'POST /payment-methods/{id}/default', {
    summary: 'Make a card the default, which is charged first.',
    detail: 'A declined renewal is retried soon.',
    access: { role: 'owner' },
    rate: 'money',
    audit: true,
    params: CardParams,
    body: EmptyBody,
    reply: { 200: z.object({ ok: z.literal(true), paymentMethod: Card }) },
    handle: async ({ app, actor, params, request }) => ({
      ok: true as const,
      paymentMethod: await setDefaultCard(app, actor, params.id, request.address),
    }),
  }),

  route('paymentMethods.remove', 'DELETE /payment-methods/{id}', {
    summary: 'Remove a stored card.',
    detail:
      'If it was the default card, the newest unexpired card becomes the default. An automatic top-up with this card is turned off. The payment provider deletes its authorization.',
    access: { role: 'owner' },
    rate: 'money',
    audit: true,
    params: CardParams,
    reply: { 200: z.object({ ok: z.literal(true) }) },
    handle: async ({ app, actor, params, request }) => {
      await removeCard(app, actor, params.id, request.address)
      return { ok: true as const }
    },
  }),
]
