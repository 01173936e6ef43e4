// Routes of top-ups, in the order in which a client calls them.
import { raw, route } from '../platform/http/route.ts'
import { redirectPayer } from './initiate/browser-return.ts'
import { mockPage, submitMockDecision } from './initiate/mock-page.ts'
import { submitOtp } from './initiate/otp.ts'
import { startTopup } from './initiate/topup.ts'
import {
  Channels,
  MockDecision,
  OtpRequest,
  ReferenceParams,
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
    summary: 'List the payment channels for your currency, with their limits.',
    access: 'any',
    rate: 'global',
    reply: { 200: Channels },
    handle: ({ app, actor, request }) => listChannels(app, actor, request.language),
  }),

  route('wallet.topup', 'POST /wallet/topup', {
    summary: 'Start a top-up. The reply says what the payer has to do.',
    detail:
      'This call credits nothing: the top-up is credited when the provider confirms it, by webhook or through POST /wallet/verify. Send an Idempotency-Key: a retry then resumes the same payment instead of prompting the payer twice. Limits: 100 pending top-ups from the last hour, 20 of them with a phone prompt, and 5 prompts per phone in 10 minutes. A suspended organisation cannot start top-ups.',
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
    handle: ({ app, actor, body, once, request }) => startTopup(app, actor, body, once, request.language),
  }),

  route('wallet.verify', 'POST /wallet/verify', {
    summary: 'Verify a top-up with its provider, and credit it if it was paid.',
    detail:
      'If the provider does not answer, the reply is the stored status. A top-up is verified with its provider at most 5 times in 10 seconds; above that the reply is the stored status. An undecided mock top-up is approved by this call.',
    access: 'any',
    rate: 'money',
    body: VerifyRequest,
    reply: { 200: Verified },
    errors: ['not_found'],
    handle: ({ app, actor, body, request }) => verifyTopup(app, actor, body.reference, request.language),
  }),

  route('wallet.topups', 'GET /wallet/topups', {
    summary: 'List your top-ups, newest first.',
    access: 'any',
    rate: 'global',
    query: TopupsQuery,
    reply: { 200: TopupsPage },
    handle: ({ app, actor, query, request }) => listTopups(app, actor, query, request.language),
  }),

  route('wallet.topupOtp', 'POST /wallet/topups/{reference}/otp', {
    summary: 'Submit the code that the network sent to the payer, when a top-up has otpRequired.',
    detail:
      'A rejected code leaves the payment pending: submit another, at most 5 in 15 minutes. An accepted code does not mean that the top-up is paid.',
    access: 'any',
    rate: 'money',
    params: ReferenceParams,
    body: OtpRequest,
    reply: { 200: TopupResult },
    errors: [
      'payment_code_refused',
      'payment_refused',
      'code_not_expected',
      'too_many_attempts',
      'rail_unavailable',
    ],
    handle: ({ app, actor, params, body, request }) =>
      submitOtp(app, actor, params.reference, body.otp, request.language),
  }),

  route('payments.return', 'GET /pay/return', {
    summary: 'Redirect the payer after the provider’s page. It credits nothing.',
    access: 'none',
    rate: 'global',
    query: Returned,
    reply: { 302: raw('', 'Redirect to the wallet in the app.') },
    hidden: true,
    handle: ({ app, query }) => redirectPayer(app, query.topup),
  }),

  route('payments.mock.show', 'GET /pay/mock/{reference}', {
    summary: 'Show the page that approves or declines a mock payment.',
    access: 'none',
    rate: 'global',
    params: ReferenceParams,
    reply: { 200: raw('text/html; charset=utf-8', 'The page.') },
    hidden: true,
    handle: ({ app, params, request }) => mockPage(app, params.reference, request.language),
  }),

  route('payments.mock.decide', 'POST /pay/mock/{reference}', {
    summary: 'Approve or decline a mock payment.',
    access: 'none',
    rate: 'money',
    params: ReferenceParams,
    body: MockDecision,
    form: true,
    reply: { 302: raw('', 'Redirect to the wallet in the app.') },
    hidden: true,
    handle: ({ app, params, body }) => submitMockDecision(app, params.reference, body.decision),
  }),
]
