// Routes for staff to list, show and suspend organisations.
import { answer } from '../../platform/http/answer.ts'
import { wantsCsv } from '../../platform/http/reply/csv.ts'
import { route } from '../../platform/http/route.ts'
import { exportOrgs, listOrgs, showOrg } from './orgs.ts'
import {
  EmptyBody,
  OrgDetail,
  OrgParams,
  OrgsPage,
  OrgsQuery,
  Suspension,
  SuspensionResult,
} from './schema.ts'
import { suspend, unsuspend } from './suspension.ts'

const SUSPENDERS = ['compliance', 'operator', 'super_admin'] as const

export const orgRoutes = [
  route('admin.orgs.list', 'GET /admin/orgs', {
    summary: 'List all organisations, newest first.',
    detail:
      '`Accept: text/csv` returns a file of up to 10 000 filtered rows; `X-Next-Cursor` is the cursor of the next file.',
    access: { staff: 'any' },
    rate: 'global',
    query: OrgsQuery,
    reply: { 200: OrgsPage },
    also: { 'text/csv': 'The filtered rows, up to 10 000.' },
    async handle({ app, query, request }) {
      if (!wantsCsv(request.headers.accept)) return listOrgs(app, query)
      const { csv, nextCursor } = await exportOrgs(app, query)
      return answer(200, csv, {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="orgs.csv"',
        ...(nextCursor !== null && { 'x-next-cursor': nextCursor }),
      })
    },
  }),

  route('admin.orgs.get', 'GET /admin/orgs/{id}', {
    summary: 'Show an organisation with members, wallet and recent staff actions.',
    access: { staff: 'any' },
    rate: 'global',
    params: OrgParams,
    reply: { 200: OrgDetail },
    handle: ({ app, params }) => showOrg(app, params.id),
  }),

  route('admin.orgs.suspend', 'POST /admin/orgs/{id}/suspend', {
    summary: 'Suspend an organisation: paid work stops immediately.',
    detail:
      'Paid requests return 403 `org_suspended`; reading, sign-in and pending payments continue. A loop stops before its next iteration, a running answer finishes, and no renewal is charged. Owners and admins are notified by email. Suspending again has no effect and keeps the reason. Only a super admin can suspend an organisation in which they are a member.',
    access: { staff: SUSPENDERS },
    rate: 'global',
    audit: true,
    params: OrgParams,
    body: Suspension,
    reply: { 200: SuspensionResult },
    errors: ['forbidden'],
    handle: ({ app, actor, params, body, request }) =>
      suspend(app, actor, params.id, body.reason, request.address),
  }),

  route('admin.orgs.unsuspend', 'POST /admin/orgs/{id}/unsuspend', {
    summary: 'Reinstate a suspended organisation.',
    detail:
      'Owners and admins are notified by email. Only a super admin can reinstate an organisation in which they are a member.',
    access: { staff: SUSPENDERS },
    rate: 'global',
    audit: true,
    params: OrgParams,
    body: EmptyBody,
    reply: { 200: SuspensionResult },
    errors: ['forbidden'],
    handle: ({ app, actor, params, request }) => unsuspend(app, actor, params.id, request.address),
  }),
]
