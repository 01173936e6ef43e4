// The policies of organisations: the endpoints.
import { route } from '../../platform/http/route.ts'
import { changePolicy, showPolicy } from './policy.ts'
import { PolicyChange, PolicyChangeReply, PolicyParams, PolicyReply } from './policy-schema.ts'

export const policyRoutes = [
  route('policy.get', 'GET /orgs/{orgId}/policy', {
    summary: 'Show what is decided about an organisation: tier, isolation, region, lanes and sign-in.',
    access: { staff: 'any' },
    rate: 'global',
    params: PolicyParams,
    reply: { 200: PolicyReply },
    handle: ({ app, params }) => showPolicy(app, params.orgId),
  }),

  route('policy.change', 'PUT /orgs/{orgId}/policy', {
    summary: 'Decide about an organisation; what is left out stays as it is.',
    detail:
      'In force with the next request. Another `dataIsolation` moves the content while the organisation goes on working: where that takes longer than 20 seconds, the answer says `moving` and the move goes on. Only a super admin decides about an organisation of their own.',
    access: { staff: ['operator', 'super_admin'] },
    rate: 'global',
    audit: true,
    timeoutMs: 60_000,
    params: PolicyParams,
    body: PolicyChange,
    reply: { 200: PolicyChangeReply },
    errors: ['forbidden', 'isolation_one_way', 'isolation_unavailable'],
    handle: ({ app, actor, params, body, request }) =>
      changePolicy(app, actor, params.orgId, body, request.address),
  }),
]
