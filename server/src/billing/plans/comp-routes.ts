// Plans that are given away: the endpoints.
import { z } from 'zod'
import { isId, type OrgId } from '../../kernel/ids.ts'
import { route } from '../../platform/http/route.ts'
import { ok, queryTime, timestamp, words } from '../../platform/http/shapes.ts'
import { grantComp, readComp, revokeComp } from './comps.ts'
import { PLAN_CODES } from './plans.ts'

const GIVERS = ['billing', 'operator', 'super_admin'] as const
/** The free one need not be given. */
const planCode = z.enum(PLAN_CODES).exclude(['free'])
const CompParams = z.object({
  id: z.custom<OrgId>((value) => typeof value === 'string' && isId('org', value)),
})
const CompBody = z.object({
  planCode,
  until: queryTime.optional().meta({ description: 'Left out: until it is taken back.' }),
  reason: words(500),
})
const CompReply = z.object({
  comp: z
    .object({
      orgId: z.string(),
      planCode: z.enum(PLAN_CODES),
      until: timestamp.nullable(),
      inForce: z.boolean(),
      reason: z.string(),
      grantedBy: z.string(),
      createdAt: timestamp,
    })
    .nullable(),
})

export const compRoutes = [
  route('admin.comps.get', 'GET /admin/orgs/{id}/comp', {
    summary: 'The plan that an organisation is given.',
    access: { staff: 'any' },
    rate: 'global',
    params: CompParams,
    reply: { 200: CompReply },
    handle: ({ app, params }) => readComp(app, params.id),
  }),

  route('admin.comps.grant', 'POST /admin/orgs/{id}/comp', {
    summary: 'Give a plan to an organisation.',
    detail:
      'Its owner checks the plan out without paying, and renewals of it cost nothing while the gift lasts. It is given by the month; when it has ended, the next renewal is charged to a card, or ends the subscription where there is none. Takes the place of what was given before. Only a super admin gives to an organisation of their own.',
    access: { staff: GIVERS },
    rate: 'money',
    audit: true,
    params: CompParams,
    body: CompBody,
    reply: { 200: CompReply },
    errors: ['forbidden'],
    handle: ({ app, actor, params, body, request }) =>
      grantComp(app, actor, params.id, body, request.address),
  }),

  route('admin.comps.revoke', 'DELETE /admin/orgs/{id}/comp', {
    summary: 'Take back what an organisation was given.',
    detail: 'The month that runs goes on to its end.',
    access: { staff: GIVERS },
    rate: 'money',
    audit: true,
    params: CompParams,
    reply: { 200: ok },
    errors: ['forbidden'],
    handle: ({ app, actor, params, request }) => revokeComp(app, actor, params.id, request.address),
  }),
]
