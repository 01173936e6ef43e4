// Routes of usage and revenue reports. Prometheus metrics of the service are in platform.
import { answer } from '../platform/http/answer.ts'
import { wantsCsv } from '../platform/http/reply/csv.ts'
import { route } from '../platform/http/route.ts'
import { readKpis } from './reports/kpis.ts'
import { exportOrgs, listOrgs } from './reports/orgs.ts'
import { readOverview } from './reports/overview.ts'
import { readTimeseries } from './reports/timeseries.ts'
import { readUsage } from './reports/usage.ts'
import {
  Kpis,
  KpisQuery,
  Orgs,
  OrgsQuery,
  Overview,
  OverviewQuery,
  Timeseries,
  TimeseriesQuery,
  Usage,
  UsageQuery,
} from './schema.ts'

const SUBJECT =
  'Covers your organisation. Platform staff can select another one (`orgId`) or all (`scope=all`); other callers are refused, whether it exists or not. Figures for all organisations may be five seconds old.'

export const metricsRoutes = [
  route('metrics.overview', 'GET /metrics/overview', {
    summary: 'Show balance, usage and subscriptions of your organisation, today and over the last 30 days.',
    detail: SUBJECT,
    access: { scopeOrStaff: 'metrics:read' },
    rate: 'global',
    query: OverviewQuery,
    reply: { 200: Overview },
    errors: ['staff_only', 'not_found'],
    handle: ({ app, actor, query }) => readOverview(app, actor, query),
  }),

  route('metrics.usage', 'GET /metrics/usage', {
    summary: 'Show usage by day, lane, source, model and member.',
    detail: SUBJECT,
    access: { scopeOrStaff: 'metrics:read' },
    rate: 'global',
    query: UsageQuery,
    reply: { 200: Usage },
    errors: ['staff_only', 'not_found'],
    handle: ({ app, actor, query }) => readUsage(app, actor, query),
  }),

  route('metrics.timeseries', 'GET /metrics/timeseries', {
    summary: 'Show usage and money over time.',
    detail: `${SUBJECT} Every interval has a point. For an organisation, the points of a range add up to its figures in \`/metrics/kpis\`; for all organisations each point is rounded to the kobo.`,
    access: { scopeOrStaff: 'metrics:read' },
    rate: 'global',
    query: TimeseriesQuery,
    reply: { 200: Timeseries },
    errors: ['staff_only', 'not_found'],
    handle: ({ app, actor, query }) => readTimeseries(app, actor, query),
  }),

  route('metrics.kpis', 'GET /metrics/kpis', {
    summary: 'Show revenue, cash, subscriptions, float and margin.',
    detail: `${SUBJECT} Revenue and cash come from the ledger: \`mrrMinor\` is usage paid by wallets, and \`netCreditedMinor\` is cash received, which is larger while wallets hold a balance. Subscription value and usage paid by allowances are separate figures. Margins compare usage charges, including allowances, with the cost of the tokens.`,
    access: { scopeOrStaff: 'metrics:read' },
    rate: 'global',
    query: KpisQuery,
    reply: { 200: Kpis },
    errors: ['staff_only', 'not_found'],
    handle: ({ app, actor, query }) => readKpis(app, actor, query),
  }),

  route('metrics.orgs', 'GET /metrics/orgs', {
    summary: 'List all organisations with balance, revenue and usage of the last 30 days.',
    detail:
      'The cursor fixes the 30 days, so all pages cover the same range; balances and last use are current. `Accept: text/csv` returns a file of up to 10 000 rows; `X-Next-Cursor` is the cursor of the next file.',
    access: { staff: 'any' },
    rate: 'global',
    query: OrgsQuery,
    reply: { 200: Orgs },
    also: { 'text/csv': 'The same rows, up to 10 000.' },
    async handle({ app, query, request }) {
      if (!wantsCsv(request.headers.accept)) return listOrgs(app, query)
      const { csv, nextCursor } = await exportOrgs(app, query)
      return answer(200, csv, {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="organisations.csv"',
        ...(nextCursor !== null && { 'x-next-cursor': nextCursor }),
      })
    },
  }),
]
