// Subscriptions: the endpoints, in the order a customer meets them.
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

// A bank may think long, and several cards are asked one after the other.
const CHARGE_TIMEOUT_MS = 120_000

export const subscriptionRoutes = [
  route('subscription.get', 'GET /subscription', {
    summary: 'Your subscription, its plan, and what is left of the usage it includes.',
    access: 'any',
    rate: 'global',
    reply: { 200: CurrentSubscription },
    handle: ({ app, actor }) => readSubscription(app, actor),
  }),

  route('subscription.checkout', 'POST /subscription/checkout', {
    summary: 'Begin a subscription.',
    detail:
      'A plan that is free or given to you is active at once. Any other is paid by card on the page that is returned, and begins when it is paid; the card is kept for renewals. Asked again while the page is open, the same page is returned. Should two pages be paid, the second payment is added to your wallet.',
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
      'An upgrade is charged now, for the rest of the period, to your cards in their order: what POST /subscription/preview said within the hour. A downgrade waits for the end of the period. Changing to what you have clears a scheduled downgrade or cancellation. Where the bank wants to hear from you, the change happens when you have confirmed it on its page; others have to wait for that for half an hour, and for an hour at most where the card provider gives no answer. Ten declined charges within an hour are the most.',
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
    summary: 'Have more or fewer seats.',
    detail:
      'More are charged now, for the rest of the period; those that were paid for this period are not paid again. Fewer cost less from the next period on. Nobody loses a seat by it: remove members first.',
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
      'What is paid for goes on until then. Where nothing is paid for, because the last renewal is due or the first payment never came, it ends at once. Change to your own plan to take a cancellation back.',
    access: { role: 'owner' },
    rate: 'money',
    audit: true,
    body: CancelRequest,
    reply: { 200: CancelResult },
    errors: ['no_subscription'],
    handle: ({ app, actor, body, request }) => cancelSubscription(app, actor, body.reason, request.address),
  }),
]
