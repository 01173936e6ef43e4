// Where payment providers post to. Each is answered as soon as its message is kept.
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
  ResultCode: z.int().optional().meta({ description: 'What some providers insist on hearing.' }),
})
const Params = z.object({ token: z.string() })
const Token = z.object({ token: z.unknown().optional() }).meta({ description: 'The secret of this address.' })
const WORDS = { 'text/plain': 'The word that some providers insist on hearing.' }
const DETAIL =
  'A message only makes us ask the provider: what it says about money is not believed. Repeating it changes nothing.'

/** What all doors have in common. */
const webhook = {
  rate: 'webhook',
  errors: ['unlisted_address', 'malformed_json'],
} as const
const providerWebhook = { ...webhook, reply: { 200: Received } } as const
const urlWebhook = {
  ...providerWebhook,
  access: { rail: 'a payment provider', proof: authenticateUrl },
  params: Params,
  also: WORDS,
} as const
const tokenWebhook = {
  ...providerWebhook,
  detail: `${DETAIL} Comes from a listed address with the secret in ?token=.`,
  query: Token,
} as const
const MTN = { rail: 'MTN', proof: authenticateToken('momo') } as const

export const webhookRoutes = [
  route('webhooks.card', 'POST /webhooks/card_provider', {
    ...providerWebhook,
    summary: 'Take a message of the card provider.',
    detail: `${DETAIL} Signed in x-paystack-signature: HMAC-SHA512 of the body.`,
    access: { rail: 'the card provider', proof: authenticateCard },
    handle: ({ app, request }) => receiveWebhook(app, 'paystack', request),
  }),

  route('webhooks.mpesa', 'POST /webhooks/mpesa', {
    ...tokenWebhook,
    summary: 'Take a message of M-Pesa.',
    access: { rail: 'M-Pesa', proof: authenticateToken('daraja') },
    handle: ({ app, request }) => receiveWebhook(app, 'daraja', request),
  }),

  route('webhooks.momo', 'POST /webhooks/momo', {
    ...tokenWebhook,
    summary: 'Take a message of MTN Mobile Money.',
    access: MTN,
    handle: ({ app, request }) => receiveWebhook(app, 'momo', request),
  }),

  route('webhooks.momoPut', 'PUT /webhooks/momo', {
    ...tokenWebhook,
    summary: 'Take a message of MTN Mobile Money from a market that puts instead of posting.',
    access: MTN,
    handle: ({ app, request }) => receiveWebhook(app, 'momo', request),
  }),

  route('webhooks.rail', 'POST /webhooks/rail/{token}', {
    ...urlWebhook,
    summary: 'Take a message of any payment provider, at the address that only it was told.',
    detail: `${DETAIL} JSON or a form, as the provider sends it; signed where the provider signs.`,
    handle: ({ app, params, request }) => receiveAtUrl(app, params.token, request),
  }),

  route('webhooks.railPut', 'PUT /webhooks/rail/{token}', {
    ...urlWebhook,
    summary: 'Take a message of any payment provider that puts instead of posting.',
    detail: DETAIL,
    handle: ({ app, params, request }) => receiveAtUrl(app, params.token, request),
  }),
]
