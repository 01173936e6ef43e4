// Stored cards: the endpoints.
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
    expired: z.boolean().meta({ description: 'Past its last month, and never charged.' }),
  })
  .meta({ id: 'Card' })

const CardParams = z.object({ id: text(100) })
const EmptyBody = z.object({})

export const cardRoutes = [
  route('paymentMethods.list', 'GET /payment-methods', {
    summary: 'The stored cards of your organisation, the default one first.',
    access: 'any',
    rate: 'global',
    reply: { 200: z.object({ paymentMethods: z.array(Card) }) },
    handle: async ({ app, actor }) => ({ paymentMethods: await listCards(app, actor.orgId) }),
  }),

  route('paymentMethods.add', 'POST /payment-methods', {
    summary: 'Begin to add a card: a small payment with it, which is added to your wallet.',
    detail:
      'Open `authorizationUrl` and pay there. The card is stored when the provider confirms the payment, and the amount stays yours in the wallet. The first card is the default one; the same card again replaces itself. 10 cards can be stored, and 20 card payments of the last hour may wait to be paid.',
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
        amountMinor: minorOut.meta({ description: 'What is paid with the card and added to the wallet.' }),
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
    summary: 'Charge this card first from now on.',
    detail: 'A renewal that was declined is tried again soon.',
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
      'Where it was the default one, the newest that has not expired takes its place. The payment provider is told to forget it.',
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
