// Routes of subscriptions.
import { route } from '../../platform/http/route.ts'
import { cancelSubscription } from '../changes/cancel.ts'
import { changePlan } from '../changes/change-plan.ts'
import { changeSeats } from '../changes/change-seats.ts'
import { checkOut } from '../changes/checkout.ts'
import {
  CancelRequest,
  CancelResult,
  ChangeRequest,
  ChangeResult,
  CheckoutRequest,
  CheckoutResult,
  CurrentSubscription,
  SeatsRequest,
  SeatsResult,
} from './schema.ts'
import { readSubscription } from './view.ts'

// A bank may answer slowly, and several cards may be charged one after the other.
const CHARGE_TIMEOUT_MS = 120_000

export const subscriptionRoutes = [
  route('subscription.get', 'GET /subscription', {
    summary: 'Show your subscription, its plan and the remaining included usage.',
    access: 'any',
    rate: 'global',
    reply: { 200: CurrentSubscription },
    handle: ({ app, actor }) => readSubscription(app, actor),
  }),

  route('subscription.checkout', 'POST /subscription/checkout', {
    summary: 'Start a subscription.',
    detail:
      'A free or comped plan is active at once. Any other plan is paid by card on the returned page and starts when it is paid; the card is stored for renewals. A repeated call returns the same page while it is open. If two pages are paid, the second payment is credited to your wallet.',
    access: { role: 'owner' },
    paid: true,
    rate: 'money',
    idempotency: 'optional',
    audit: true,
    body: CheckoutRequest,
    reply: { 200: CheckoutResult },
    errors: [
      'plan_not_found',
      'price_changed',
      'subscription_exists',
      'subscription_past_due',
      'seats_below_occupied',
      'change_in_progress',
      'insufficient_funds',
      'channel_not_available',
      'payment_refused',
      'limit_reached',
      'payments_not_configured',
      'rail_unavailable',
    ],
    handle: ({ app, actor, body, once, request }) => checkOut(app, actor, body, once, request.address),
  }),

  route('subscription.change', 'POST /subscription/change', {
    summary: 'Change to another plan or interval.',
    detail:
      'An upgrade is charged now, for the rest of the period, to your cards in their order, at the price of `POST /subscription/preview` if it was quoted within the last hour. A downgrade waits for the end of the period. Choosing your current plan clears a scheduled downgrade or cancellation. If the bank requires a confirmation, the change takes effect when you confirm it on the page of the bank. Other changes are blocked for half an hour, or for at most an hour if the card provider does not answer. At most ten declined charges an hour are allowed.',
    access: { role: 'owner' },
    paid: true,
    rate: 'money',
    idempotency: 'optional',
    audit: true,
    body: ChangeRequest,
    reply: { 200: ChangeResult },
    errors: [
      'plan_not_found',
      'no_subscription',
      'subscription_past_due',
      'change_in_progress',
      'price_changed',
      'seats_below_occupied',
      'no_payment_method',
      'card_declined',
      'card_challenged',
      'too_many_attempts',
      'insufficient_funds',
      'wallet_full',
      'payments_not_configured',
      'rail_unavailable',
    ],
    timeoutMs: CHARGE_TIMEOUT_MS,
    handle: ({ app, actor, body, once, request }) => changePlan(app, actor, body, once, request.address),
  }),

  route('subscription.seats', 'POST /subscription/seats', {
    summary: 'Change the number of seats.',
    detail:
      'Additional seats are charged now, for the rest of the period. Seats that were already paid for this period are free. Fewer seats lower the next renewal. Every member keeps a seat: remove members first.',
    access: { role: 'owner' },
    paid: true,
    rate: 'money',
    idempotency: 'optional',
    audit: true,
    body: SeatsRequest,
    reply: { 200: SeatsResult },
    errors: [
      'no_subscription',
      'subscription_past_due',
      'change_in_progress',
      'price_changed',
      'seats_below_occupied',
      'seats_not_sold',
      'no_payment_method',
      'card_declined',
      'card_challenged',
      'too_many_attempts',
      'insufficient_funds',
      'payments_not_configured',
      'rail_unavailable',
    ],
    timeoutMs: CHARGE_TIMEOUT_MS,
    handle: ({ app, actor, body, once, request }) =>
      changeSeats(app, actor, body.seats, once, request.address),
  }),

  route('subscription.cancel', 'POST /subscription/cancel', {
    summary: 'Cancel your subscription at the end of its period.',
    detail:
      'The paid period continues until then. If nothing is paid, because the renewal is due or the first payment never arrived, the subscription ends at once. To undo a cancellation, change to your current plan.',
    access: { role: 'owner' },
    rate: 'money',
    audit: true,
    body: CancelRequest,
    reply: { 200: CancelResult },
    errors: ['no_subscription'],
    handle: ({ app, actor, body, request }) => cancelSubscription(app, actor, body.reason, request.address),
  }),
]
