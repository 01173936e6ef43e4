// The routes of the request log.
import { answer } from '../../platform/http/answer.ts'
import { wantsCsv } from '../../platform/http/reply/csv.ts'
import { route } from '../../platform/http/route.ts'
import { exportRequests, listRequests } from './requests.ts'
import { RequestSummary, RequestSummaryQuery, RequestsPage, RequestsQuery } from './schema.ts'
import { summariseRequests } from './summary.ts'

const ROWS =
  'Owners and admins see all calls of the organisation, members their own. Platform staff can select another organisation (`orgId`) or all (`scope=all`). A call appears within a second of its end. No row has text of a prompt or an answer.'

export const requestRoutes = [
  route('usage.requests', 'GET /usage/requests', {
    summary: 'List model calls with cost, tokens and timing, newest first.',
    detail: `${ROWS} \`Accept: text/csv\` or \`format=csv\` returns the filtered rows as a file of up to 10 000 rows; if there are more, \`X-Next-Cursor\` is the cursor of the next file. Rows are kept for the days of the setting \`usage_log_days\`.`,
    access: { scopeOrStaff: 'metrics:read' },
    rate: 'global',
    query: RequestsQuery,
    reply: { 200: RequestsPage },
    also: { 'text/csv': 'The filtered rows, up to 10 000.' },
    errors: ['staff_only', 'forbidden', 'not_found'],
    async handle({ app, actor, query, request }) {
      const isCsv = query.format === undefined ? wantsCsv(request.headers.accept) : query.format === 'csv'
      if (!isCsv) return listRequests(app, actor, query)
      const { csv, nextCursor } = await exportRequests(app, actor, query)
      return answer(200, csv, {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="requests.csv"',
        ...(nextCursor !== null && { 'x-next-cursor': nextCursor }),
      })
    },
  }),

  route('usage.requestSummary', 'GET /usage/requests/summary', {
    summary: 'Show calls, errors, cost, tokens and latency by hour or day.',
    detail: `${ROWS} Every hour or day of the range has an entry. Amounts of all organisations are in kobo.`,
    access: { scopeOrStaff: 'metrics:read' },
    rate: 'global',
    query: RequestSummaryQuery,
    reply: { 200: RequestSummary },
    errors: ['staff_only', 'forbidden', 'not_found'],
    handle: ({ app, actor, query }) => summariseRequests(app, actor, query),
  }),
]
