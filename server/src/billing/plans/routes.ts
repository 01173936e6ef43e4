// What is sold, what a change would cost, and how things stand: the endpoints.
import { route } from '../../platform/http/route.ts'
import { previewChange } from '../quotes/preview-change.ts'
import { Summary } from '../subscriptions/schema.ts'
import { readSummary } from '../summary.ts'
import { currentRateCard, listPlans } from './plans.ts'
import { Plans, Preview, PreviewBody, PublicPlans, PublicPlansQuery } from './schema.ts'

export const planRoutes = [
  route('plans.list', 'GET /plans', {
    summary: 'What is sold, in the currency of your organisation.',
    access: 'any',
    rate: 'global',
    reply: { 200: Plans },
    handle: ({ app, actor }) => ({ plans: listPlans(currentRateCard(app), actor.org.currency) }),
  }),

  route('plans.public', 'GET /public/plans', {
    summary: 'What is sold, for everybody to see.',
    detail: 'Prices are set in naira; the rate card that is in force converts them.',
    access: 'none',
    rate: 'global',
    query: PublicPlansQuery,
    reply: { 200: PublicPlans },
    handle({ app, query: { currency }, request }) {
      const rateCardVersion = currentRateCard(app)
      request.setHeader('cache-control', 'public, max-age=300')
      return { currency, rateCardVersion, plans: listPlans(rateCardVersion, currency) }
    },
  }),

  route('subscription.preview', 'POST /subscription/preview', {
    summary: 'Say what a change of your subscription would cost, line by line.',
    detail:
      'Send what you would send to `/subscription/change`, or `seats`. The charge that follows within the hour is this one, as long as nothing else is changed meanwhile.',
    access: { role: 'owner' },
    rate: 'money',
    body: PreviewBody,
    reply: { 200: Preview },
    errors: [
      'seats_below_occupied',
      'seats_not_sold',
      'plan_not_found',
      'no_subscription',
      'change_in_progress',
      'subscription_past_due',
    ],
    handle: ({ app, actor, body }) => previewChange(app, actor, body),
  }),

  route('billing.summary', 'GET /billing/summary', {
    summary: 'Your wallet, plan, allowance and seats at one glance.',
    access: 'any',
    rate: 'global',
    reply: { 200: Summary },
    handle: ({ app, actor }) => readSummary(app, actor),
  }),
]
