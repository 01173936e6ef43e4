// Endpoints for users of several organisations.
import { route } from '../../platform/http/route.ts'
import { OrgsListing, SwitchOrgBody, SwitchOrgReply } from '../accounts/account-schema.ts'
import { listOrgs, switchOrg } from './orgs.ts'

export const orgRoutes = [
  route('me.orgs', 'GET /me/orgs', {
    summary: 'List the organisations you belong to.',
    detail: 'An API key sees only its own organisation.',
    access: 'known',
    rate: 'global',
    reply: { 200: OrgsListing },
    handle: ({ app, actor }) => listOrgs(app, actor),
  }),

  route('me.switchOrg', 'POST /me/org', {
    summary: 'Switch organisation.',
    detail: 'This session uses the organisation from now on, and the next sign-in opens it.',
    access: 'session',
    rate: 'global',
    audit: true,
    body: SwitchOrgBody,
    reply: { 200: SwitchOrgReply },
    errors: ['not_found', 'sso_required'],
    handle: async ({ app, actor, body, request }) => ({
      ok: true as const,
      orgId: await switchOrg(app, actor, body.orgId, request),
    }),
  }),
]
