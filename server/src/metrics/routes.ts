// Usage and money in figures: the endpoints. (The figures of the service itself, for Prometheus, are the platform's.)
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

const WHOSE =
  'About your own organisation. Platform staff may ask about another one (`orgId`) or about all (`scope=all`); anybody else is refused, whether it exists or not. Figures about all may be five seconds old.'

export const metricsRoutes = [
  route('metrics.overview', 'GET /metrics/overview', {
    summary: 'How your organisation, or the fleet, stands today and over the last 30 days.',
    detail: WHOSE,
    access: { scopeOrStaff: 'metrics:read' },
    rate: 'global',
    query: OverviewQuery,
    reply: { 200: Overview },
    errors: ['staff_only', 'not_found'],
    handle: ({ app, actor, query }) => readOverview(app, actor, query),
  }),

  route('metrics.usage', 'GET /metrics/usage', {
    summary: 'What was used, by day, lane, source, model and member.',
    detail: WHOSE,
    access: { scopeOrStaff: 'metrics:read' },
    rate: 'global',
    query: UsageQuery,
    reply: { 200: Usage },
    errors: ['staff_only', 'not_found'],
    handle: ({ app, actor, query }) => readUsage(app, actor, query),
  }),

  route('metrics.timeseries', 'GET /metrics/timeseries', {
    summary: 'Usage and money over time.',
    detail: `${WHOSE} Every interval has its point. Over the same time the points of an organisation add up to its figures under \`/metrics/kpis\`; for the fleet each point is rounded to the kobo by itself.`,
    access: { scopeOrStaff: 'metrics:read' },
    rate: 'global',
    query: TimeseriesQuery,
    reply: { 200: Timeseries },
    errors: ['staff_only', 'not_found'],
    handle: ({ app, actor, query }) => readTimeseries(app, actor, query),
  }),

  route('metrics.kpis', 'GET /metrics/kpis', {
    summary: 'Revenue, cash, subscriptions, float and margin.',
    detail: `${WHOSE} Revenue and cash come from the ledger: \`mrrMinor\` is use that wallets paid for, and \`netCreditedMinor\` is cash in, which is larger while wallets hold float. What subscriptions are worth is a figure of its own, and so is use that their allowances paid for. Margins set what use was charged, allowances included, against what its tokens cost us.`,
    access: { scopeOrStaff: 'metrics:read' },
    rate: 'global',
    query: KpisQuery,
    reply: { 200: Kpis },
    errors: ['staff_only', 'not_found'],
    handle: ({ app, actor, query }) => readKpis(app, actor, query),
  }),

  route('metrics.orgs', 'GET /metrics/orgs', {
    summary: 'All organisations with their money and their use of the last 30 days.',
    detail:
      'All pages of a list are of the same 30 days, which its cursor remembers; balances and the latest use are those of the moment. With `Accept: text/csv` the rows come as a file of up to 10 000; `X-Next-Cursor` says where to go on when there are more.',
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
