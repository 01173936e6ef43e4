// Routes by which owners manage the SCIM tokens of their organisation.
import { z } from 'zod'
import { isId, type OrgId } from '../../kernel/ids.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { line, ok, timestamp } from '../../platform/http/shapes.ts'
import { addToken, getProvisioning, revokeToken } from './tokens.ts'

const orgId = z.custom<OrgId>((value) => typeof value === 'string' && isId('org', value))
const access = { role: 'owner', orgParam: 'orgId' } as const

const ScimToken = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    createdBy: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'ScimToken' })

export const tokenRoutes: readonly Route[] = [
  route('orgs.sso.scim.get', 'GET /orgs/{orgId}/sso/scim', {
    summary: 'Show the base URL for a directory service, the verified domains and the SCIM tokens.',
    access,
    rate: 'global',
    params: z.object({ orgId }),
    reply: {
      200: z
        .object({
          baseUrl: z.string(),
          domains: z.array(z.string()).meta({
            description: 'Users can be created for addresses of these domains. Staff verify domains.',
          }),
          tokens: z.array(ScimToken),
        })
        .meta({ id: 'ScimProvisioning' }),
    },
    handle: ({ app, params }) => getProvisioning(app, params.orgId),
  }),

  route('orgs.sso.scim.addToken', 'POST /orgs/{orgId}/sso/scim/tokens', {
    summary: 'Create a SCIM token. It is shown only once.',
    detail:
      'The token can only provision the members and groups of this organisation through `/scim/v2`. An organisation can have five. Needs a sign-in of the last 15 minutes.',
    access,
    rate: 'global',
    audit: true,
    carriesSecret: true,
    params: z.object({ orgId }),
    body: z.object({
      name: line(100).meta({ description: 'The name of the directory service.', examples: ['Okta'] }),
    }),
    reply: { 201: ScimToken.extend({ token: z.string() }).meta({ id: 'NewScimToken' }) },
    errors: ['limit_reached', 'reauth_required'],
    handle: ({ app, actor, params, body, request }) =>
      addToken(app, actor, params.orgId, body.name, request.address),
  }),

  route('orgs.sso.scim.revokeToken', 'DELETE /orgs/{orgId}/sso/scim/tokens/{tokenId}', {
    summary: 'Revoke a SCIM token immediately.',
    detail: 'Members stay members. Needs a sign-in of the last 15 minutes.',
    access,
    rate: 'global',
    audit: true,
    params: z.object({ orgId, tokenId: z.string().max(100) }),
    reply: { 200: ok },
    errors: ['reauth_required'],
    handle: ({ app, actor, params, request }) =>
      revokeToken(app, actor, params.orgId, params.tokenId, request.address),
  }),
]
