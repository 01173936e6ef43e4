// Top-ups: the endpoints, in the order a client meets them.
import { raw, route } from '../platform/http/route.ts'
import { redirectPayer } from './initiate/browser-return.ts'
import { mockPage, submitMockDecision } from './initiate/mock-page.ts'
import { startTopup } from './initiate/topup.ts'
import {
  Channels,
  MockDecision,
  MockParams,
  Returned,
  TopupRequest,
  TopupResult,
  TopupsPage,
  TopupsQuery,
  Verified,
  VerifyRequest,
} from './schema.ts'
import { verifyTopup } from './settle/verify.ts'
import { listChannels, listTopups } from './topups.ts'

export const topupRoutes = [
  route('wallet.channels', 'GET /wallet/channels', {
    summary: 'The ways to pay in your currency, and how much each takes.',
    access: 'any',
    rate: 'global',
    reply: { 200: Channels },
    handle: ({ app, actor }) => listChannels(app, actor),
  }),

  route('wallet.topup', 'POST /wallet/topup', {
    summary: 'Begin a top-up and learn what the payer has to do.',
    detail:
      'Nothing is credited by this call: the provider confirms, by its own message or when asked with POST /wallet/verify. Send an Idempotency-Key, and a retry continues the same payment instead of asking the payer twice. Of the last hour, 100 top-ups may wait for their payment, and 20 that ask on a phone; one phone is asked at most 5 times in 10 minutes. A suspended organisation begins none.',
    access: 'any',
    rate: 'money',
    idempotency: 'optional',
    body: TopupRequest,
    reply: { 200: TopupResult },
    errors: [
      'channel_not_available',
      'payment_refused',
      'org_suspended',
      'limit_reached',
      'too_many_attempts',
      'payments_not_configured',
      'rail_unavailable',
    ],
    handle: ({ app, actor, body, once }) => startTopup(app, actor, body, once),
  }),

  route('wallet.verify', 'POST /wallet/verify', {
    summary: 'Ask the provider about a top-up, and credit it if it was paid.',
    detail:
      'A provider that does not answer changes nothing: the status is as it stood. One top-up is asked about at most 5 times in 10 seconds; beyond that the answer is what is known. Play money that nobody has decided on is approved by this call.',
    access: 'any',
    rate: 'money',
    body: VerifyRequest,
    reply: { 200: Verified },
    errors: ['not_found'],
    handle: ({ app, actor, body }) => verifyTopup(app, actor, body.reference),
  }),

  route('wallet.topups', 'GET /wallet/topups', {
    summary: 'Your top-ups, the newest first.',
    access: 'any',
    rate: 'global',
    query: TopupsQuery,
    reply: { 200: TopupsPage },
    handle: ({ app, actor, query }) => listTopups(app, actor, query),
  }),

  route('payments.return', 'GET /pay/return', {
    summary: 'Where providers send the browser back to; it credits nothing.',
    access: 'none',
    rate: 'global',
    query: Returned,
    reply: { 302: raw('', 'To the wallet in the app.') },
    hidden: true,
    handle: ({ app, query }) => redirectPayer(app, query.topup),
  }),

  route('payments.mock.show', 'GET /pay/mock/{reference}', {
    summary: 'The page on which play money is approved or declined.',
    access: 'none',
    rate: 'global',
    params: MockParams,
    reply: { 200: raw('text/html; charset=utf-8', 'The page.') },
    hidden: true,
    handle: ({ app, params }) => mockPage(app, params.reference),
  }),

  route('payments.mock.decide', 'POST /pay/mock/{reference}', {
    summary: 'Approve or decline play money.',
    access: 'none',
    rate: 'money',
    params: MockParams,
    body: MockDecision,
    form: true,
    reply: { 302: raw('', 'To the wallet in the app.') },
    hidden: true,
    handle: ({ app, params, body }) => submitMockDecision(app, params.reference, body.decision),
  }),
]
