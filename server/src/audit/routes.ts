// The audit log's endpoints.
import { answer } from '../platform/http/answer.ts'
import { wantsCsv } from '../platform/http/reply/csv.ts'
import { route } from '../platform/http/route.ts'
import { acceptChain } from './anchors/accept-chain.ts'
import { exportEntries, listEntries, verifyEntries } from './entries.ts'
import { AcceptBody, AcceptResult, AuditPage, AuditQuery, AuditVerdict, VerifyQuery } from './schema.ts'

const VERIFY_TIMEOUT_MS = 120_000

export const auditRoutes = [
  route('audit.list', 'GET /audit', {
    summary: 'Who did what in your organisation, newest first.',
    detail:
      'Owners and admins see their own organisation; `scope=all` and `orgId` of another are for platform staff. With `Accept: text/csv` the filtered rows come as a file of up to 10 000 rows; `X-Next-Cursor` says where to go on when there are more.',
    access: { roleOrStaff: 'admin' },
    rate: 'global',
    query: AuditQuery,
    reply: { 200: AuditPage },
    also: { 'text/csv': 'The filtered rows, up to 10 000.' },
    errors: ['staff_only', 'forbidden', 'not_found'],
    async handle({ app, actor, query, request }) {
      if (!wantsCsv(request.headers.accept)) return listEntries(app, actor, query)
      const { csv, nextCursor } = await exportEntries(app, actor, query)
      return answer(200, csv, {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="audit.csv"',
        ...(nextCursor !== null && { 'x-next-cursor': nextCursor }),
      })
    },
  }),

  route('audit.verify', 'GET /audit/verify', {
    summary: 'Walk the chain of hashes and say whether every entry is still the one that was written.',
    detail:
      'Names the first entry that was edited, is missing, or was put in. Every five minutes the end of each chain is noted down outside the database, and compared here: what was cut off or written anew as a whole (`rewritten`) shows by that. You can do the same with `head`: an entry with that number and hash must still be there later. Where that note is gone, the chain is `unproven`. Long chains are walked in several calls by `cursor`; an organisation walks one at a time.',
    access: { roleOrStaff: 'admin' },
    rate: 'global',
    query: VerifyQuery,
    reply: { 200: AuditVerdict },
    errors: ['staff_only', 'forbidden', 'not_found', 'too_many_attempts'],
    timeoutMs: VERIFY_TIMEOUT_MS,
    handle: ({ app, actor, query }) => verifyEntries(app, actor, query),
  }),

  route('audit.anchors.accept', 'POST /audit/anchors/accept', {
    summary: 'Take a chain as it is after the database was restored, and note its end anew.',
    detail:
      'Chains that are shorter than what was noted about them stay broken until somebody answers for it. The chain itself says who did, why, and what was noted before.',
    access: { staff: ['super_admin'] },
    rate: 'global',
    audit: true,
    body: AcceptBody,
    reply: { 200: AcceptResult },
    errors: ['not_found', 'storage_unavailable'],
    handle: ({ app, actor, body, request }) => acceptChain(app, actor, body, request.address),
  }),
]
