// Routes of comped plans.
import { z } from 'zod'
import { isId, type OrgId } from '../../kernel/ids.ts'
import { route } from '../../platform/http/route.ts'
import { ok, queryTime, timestamp, words } from '../../platform/http/shapes.ts'
import { grantComp, readComp, revokeComp } from './comps.ts'
import { PLAN_CODES } from './plans.ts'

const GIVERS = ['billing', 'operator', 'super_admin'] as const
/** The free plan needs no comp. */
const planCode = z.enum(PLAN_CODES).exclude(['free'])
const CompParams = z.object({
  id: z.custom<OrgId>((value) => typeof value === 'string' && isId('org', value)),
})
const CompBody = z.object({
  planCode,
  until: queryTime.optional().meta({ description: 'Default: until the comp is revoked.' }),
  reason: words(500),
})
const CompReply = z
  .object({
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
  .meta({ id: 'CompOfOrg' })

export const compRoutes = [
  route('admin.comps.get', 'GET /admin/orgs/{id}/comp', {
    summary: 'Show the comp of an organisation.',
    access: { staff: 'any' },
    rate: 'global',
    params: CompParams,
    reply: { 200: CompReply },
    handle: ({ app, params }) => readComp(app, params.id),
  }),

  route('admin.comps.grant', 'POST /admin/orgs/{id}/comp', {
    summary: 'Comp a plan for an organisation.',
    detail:
      'The owner checks out the monthly plan without paying, and renewals are free while the comp lasts. Then the subscription ends at its next renewal, unless the owner has scheduled another plan. A new comp replaces the previous one. Only a super admin may comp their own organisation.',
    access: { staff: GIVERS },
    stepUp: true,
    rate: 'money',
    audit: true,
    params: CompParams,
    body: CompBody,
    reply: { 200: CompReply },
    errors: ['approval_required', 'forbidden'],
    handle: ({ app, actor, params, body, request }) =>
      grantComp(app, actor, params.id, body, request.address),
  }),

  route('admin.comps.revoke', 'DELETE /admin/orgs/{id}/comp', {
    summary: 'Revoke the comp of an organisation.',
    detail: 'The current month runs to its end.',
    access: { staff: GIVERS },
    stepUp: true,
    rate: 'money',
    audit: true,
    params: CompParams,
    reply: { 200: ok },
    errors: ['forbidden'],
    handle: ({ app, actor, params, request }) => revokeComp(app, actor, params.id, request.address),
  }),
]
