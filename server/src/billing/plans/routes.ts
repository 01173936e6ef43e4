// Routes of plans, previews and the billing summary.
import { linesIn } from '../../invoices/invoices.ts'
import { route } from '../../platform/http/route.ts'
import { previewChange } from '../quotes/preview-change.ts'
import { Summary } from '../subscriptions/schema.ts'
import { readSummary } from '../summary.ts'
import { listPlans, planRateCard } from './plans.ts'
import { Plans, Preview, PreviewBody, PublicPlans, PublicPlansQuery } from './schema.ts'

export const planRoutes = [
  route('plans.list', 'GET /plans', {
    summary: 'List the plans in the currency of your organisation.',
    access: 'any',
    rate: 'global',
    reply: { 200: Plans },
    handle: ({ app, actor }) => ({ plans: listPlans(planRateCard(app), actor.org.currency) }),
  }),

  route('plans.public', 'GET /public/plans', {
    summary: 'List the plans publicly.',
    detail: 'Prices are set in naira and converted by the current rate card.',
    access: 'none',
    rate: 'global',
    query: PublicPlansQuery,
    reply: { 200: PublicPlans },
    handle({ app, query: { currency }, request }) {
      const rateCardVersion = planRateCard(app)
      request.setHeader('cache-control', 'public, max-age=300')
      return { currency, rateCardVersion, plans: listPlans(rateCardVersion, currency) }
    },
  }),

  route('subscription.preview', 'POST /subscription/preview', {
    summary: 'Preview the cost of a subscription change, line by line.',
    detail:
      'Send the body of `/subscription/change`, or `seats`. The quoted charge is valid for an hour, unless the subscription changes in the meantime.',
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
    handle: async ({ app, actor, body, request }) => {
      const preview = await previewChange(app, actor, body)
      return { ...preview, lines: linesIn(request.language, preview.lines) }
    },
  }),

  route('billing.summary', 'GET /billing/summary', {
    summary: 'Show your wallet, plan, allowance and seats.',
    access: 'any',
    rate: 'global',
    reply: { 200: Summary },
    handle: ({ app, actor }) => readSummary(app, actor),
  }),
]
