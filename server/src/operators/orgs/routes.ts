// What staff do with organisations: the endpoints.
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
    summary: 'Every organisation, newest first.',
    detail:
      'With `Accept: text/csv` the filtered rows come as a file of up to 10 000 rows; `X-Next-Cursor` says where to go on when there are more.',
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
    summary: 'One organisation with its people, its wallet and what staff did about it last.',
    access: { staff: 'any' },
    rate: 'global',
    params: OrgParams,
    reply: { 200: OrgDetail },
    handle: ({ app, params }) => showOrg(app, params.id),
  }),

  route('admin.orgs.suspend', 'POST /admin/orgs/{id}/suspend', {
    summary: 'Close an organisation to paid work, at once and everywhere.',
    detail:
      'Whatever costs money answers 403 `org_suspended`; reading, signing in and payments under way go on. A loop ends before its next iteration, an answer that is being written is finished, and no renewal is charged. Owners and admins are told by mail. Suspending again changes nothing, also not the reason. Only a super admin suspends an organisation of their own.',
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
    summary: 'Open a suspended organisation to paid work again.',
    detail: 'Owners and admins are told by mail. Only a super admin reinstates an organisation of their own.',
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
