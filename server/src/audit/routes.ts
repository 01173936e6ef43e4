// Routes of the audit log.
import { answer } from '../platform/http/answer.ts'
import { wantsCsv } from '../platform/http/reply/csv.ts'
import { route } from '../platform/http/route.ts'
import { acceptChain } from './anchors/accept-chain.ts'
import { exportEntries, listEntries, verifyEntries } from './entries.ts'
import { AcceptBody, AcceptResult, AuditPage, AuditQuery, AuditVerdict, VerifyQuery } from './schema.ts'

const VERIFY_TIMEOUT_MS = 120_000

export const auditRoutes = [
  route('audit.list', 'GET /audit', {
    summary: 'List the audit log of your organisation, newest first.',
    detail:
      'Owners and admins can read their own organisation; `scope=all` and another `orgId` are for platform staff. `Accept: text/csv` returns a file of up to 10 000 filtered rows; `X-Next-Cursor` is the cursor of the next file.',
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
    summary: 'Verify the hash chain of the audit log.',
    detail:
      'Returns the first entry that was edited, removed or inserted. Every five minutes the head of each chain is anchored outside the database; the comparison detects truncated and rewritten chains (`rewritten`). You can store `head` yourself: an entry with that number and hash must still exist later. A chain whose anchor is lost is `unproven`. Long chains need several calls with `cursor`. An organisation can run one verification at a time.',
    access: { roleOrStaff: 'admin' },
    rate: 'global',
    query: VerifyQuery,
    reply: { 200: AuditVerdict },
    errors: ['staff_only', 'forbidden', 'not_found', 'too_many_attempts'],
    timeoutMs: VERIFY_TIMEOUT_MS,
    handle: ({ app, actor, query }) => verifyEntries(app, actor, query),
  }),

  route('audit.anchors.accept', 'POST /audit/anchors/accept', {
    summary: 'Accept a chain after a database restore and anchor its head again.',
    detail:
      'A chain that is shorter than its anchor stays broken until a super admin accepts it. The chain records who accepted it, why, and the previous anchor.',
    access: { staff: ['super_admin'] },
    rate: 'global',
    audit: true,
    body: AcceptBody,
    reply: { 200: AcceptResult },
    errors: ['not_found', 'storage_unavailable'],
    handle: ({ app, actor, body, request }) => acceptChain(app, actor, body, request.address),
  }),
]
