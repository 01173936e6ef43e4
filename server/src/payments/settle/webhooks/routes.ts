// Webhook routes of the payment providers. The reply follows as soon as the event is stored.
import { z } from 'zod'
import { route } from '../../../platform/http/route.ts'
import {
  authenticateCard,
  authenticateToken,
  authenticateUrl,
  receiveAtUrl,
  receiveWebhook,
} from './receive.ts'

const Received = z.looseObject({
  ok: z.literal(true).optional(),
  ResultCode: z.int().optional().meta({ description: 'Required by some providers.' }),
})
const Params = z.object({ token: z.string() })
const Token = z.object({ token: z.unknown().optional() }).meta({ description: 'The secret of this webhook.' })
const TEXT_REPLY = { 'text/plain': 'The text that some providers require.' }
const DETAIL =
  'A webhook only triggers a status query: its own statements about money are not trusted. Repeating it changes nothing.'

const webhook = {
  rate: 'webhook',
  errors: ['unlisted_address', 'malformed_json'],
} as const
const providerWebhook = { ...webhook, reply: { 200: Received } } as const
const urlWebhook = {
  ...providerWebhook,
  access: { rail: 'a payment provider', proof: authenticateUrl },
  params: Params,
  also: TEXT_REPLY,
} as const
const tokenWebhook = {
  ...providerWebhook,
  detail: `${DETAIL} Requires an allowed address and the secret in ?token=.`,
  query: Token,
} as const
const MTN = { rail: 'MTN', proof: authenticateToken('momo') } as const

export const webhookRoutes = [
  route('webhooks.card', 'POST /webhooks/card_provider', {
    ...providerWebhook,
    summary: 'Receive a webhook of the card provider.',
    detail: `${DETAIL} Signed in x-paystack-signature: HMAC-SHA512 of the body.`,
    access: { rail: 'the card provider', proof: authenticateCard },
    handle: ({ app, request }) => receiveWebhook(app, 'paystack', request),
  }),

  route('webhooks.mpesa', 'POST /webhooks/mpesa', {
    ...tokenWebhook,
    summary: 'Receive a webhook of M-Pesa.',
    access: { rail: 'M-Pesa', proof: authenticateToken('daraja') },
    handle: ({ app, request }) => receiveWebhook(app, 'daraja', request),
  }),

  route('webhooks.momo', 'POST /webhooks/momo', {
    ...tokenWebhook,
    summary: 'Receive a webhook of MTN Mobile Money.',
    access: MTN,
    handle: ({ app, request }) => receiveWebhook(app, 'momo', request),
  }),

  route('webhooks.momoPut', 'PUT /webhooks/momo', {
    ...tokenWebhook,
    summary: 'Receive a webhook of MTN Mobile Money from a market that uses PUT.',
    access: MTN,
    handle: ({ app, request }) => receiveWebhook(app, 'momo', request),
  }),

  route('webhooks.rail', 'POST /webhooks/rail/{token}', {
    ...urlWebhook,
    summary: 'Receive a webhook of any payment provider at its secret URL.',
    detail: `${DETAIL} JSON or a form, as the provider sends it. Signed where the provider supports it.`,
    handle: ({ app, params, request }) => receiveAtUrl(app, params.token, request),
  }),

  route('webhooks.railPut', 'PUT /webhooks/rail/{token}', {
    ...urlWebhook,
    summary: 'Receive a webhook of any payment provider that uses PUT.',
    detail: DETAIL,
    handle: ({ app, params, request }) => receiveAtUrl(app, params.token, request),
  }),
]
