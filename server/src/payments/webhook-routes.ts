// Where payment providers post to. Each is answered as soon as its message is kept.
import { z } from 'zod'
import { route } from '../platform/http/route.ts'
import { proveAlias, proveCard, proveToken, receive, receiveAlias } from './webhooks.ts'

const Received = z.looseObject({
  ok: z.literal(true).optional(),
  ResultCode: z.int().optional().meta({ description: 'What some providers insist on hearing.' }),
})
const Params = z.object({ token: z.string() })
const Token = z.object({ token: z.unknown().optional() }).meta({ description: 'The secret of this address.' })
const WORDS = { 'text/plain': 'The word that some providers insist on hearing.' }
const DETAIL =
  'A message only makes us ask the provider: what it says about money is not believed. Repeating it changes nothing.'

export const webhookRoutes = [
  route('webhooks.card', 'POST /webhooks/card_provider', {
    summary: 'Take a message of the card provider.',
    detail: `${DETAIL} Signed in x-paystack-signature: HMAC-SHA512 of the body.`,
    access: { rail: 'the card provider', proof: proveCard },
    rate: 'webhook',
    duringMaintenance: true,
    reply: { 200: Received },
    errors: ['unlisted_address', 'malformed_json'],
    handle: ({ app, request }) => receive(app, 'paystack', request),
  }),

  route('webhooks.mpesa', 'POST /webhooks/mpesa', {
    summary: 'Take a message of M-Pesa.',
    detail: `${DETAIL} Comes from a listed address with the secret in ?token=.`,
    access: { rail: 'M-Pesa', proof: proveToken('daraja') },
    rate: 'webhook',
    duringMaintenance: true,
    query: Token,
    reply: { 200: Received },
    errors: ['unlisted_address', 'malformed_json'],
    handle: ({ app, request }) => receive(app, 'daraja', request),
  }),

  route('webhooks.momo', 'POST /webhooks/momo', {
    summary: 'Take a message of MTN Mobile Money.',
    detail: `${DETAIL} Comes from a listed address with the secret in ?token=.`,
    access: { rail: 'MTN', proof: proveToken('momo') },
    rate: 'webhook',
    duringMaintenance: true,
    query: Token,
    reply: { 200: Received },
    errors: ['unlisted_address', 'malformed_json'],
    handle: ({ app, request }) => receive(app, 'momo', request),
  }),

  route('webhooks.momoPut', 'PUT /webhooks/momo', {
    summary: 'Take a message of MTN Mobile Money from a market that puts instead of posting.',
    detail: `${DETAIL} Comes from a listed address with the secret in ?token=.`,
    access: { rail: 'MTN', proof: proveToken('momo') },
    rate: 'webhook',
    duringMaintenance: true,
    query: Token,
    reply: { 200: Received },
    errors: ['unlisted_address', 'malformed_json'],
    handle: ({ app, request }) => receive(app, 'momo', request),
  }),

  route('webhooks.rail', 'POST /webhooks/rail/{token}', {
    summary: 'Take a message of any payment provider, at the address that only it was told.',
    detail: `${DETAIL} JSON or a form, as the provider sends it; signed where the provider signs.`,
    access: { rail: 'a payment provider', proof: proveAlias },
    rate: 'webhook',
    duringMaintenance: true,
    params: Params,
    reply: { 200: Received },
    also: WORDS,
    errors: ['unlisted_address', 'malformed_json'],
    handle: ({ app, params, request }) => receiveAlias(app, params.token, request),
  }),

  route('webhooks.railPut', 'PUT /webhooks/rail/{token}', {
    summary: 'Take a message of any payment provider that puts instead of posting.',
    detail: DETAIL,
    access: { rail: 'a payment provider', proof: proveAlias },
    rate: 'webhook',
    duringMaintenance: true,
    params: Params,
    reply: { 200: Received },
    also: WORDS,
    errors: ['unlisted_address', 'malformed_json'],
    handle: ({ app, params, request }) => receiveAlias(app, params.token, request),
  }),
]
