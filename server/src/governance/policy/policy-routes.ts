// Routes of organisation policies.
import { route } from '../../platform/http/route.ts'
import { changePolicy, showPolicy } from './policy.ts'
import { PolicyChange, PolicyChangeReply, PolicyParams, PolicyReply } from './policy-schema.ts'

export const policyRoutes = [
  route('policy.get', 'GET /orgs/{orgId}/policy', {
    summary: 'Show the policy of an organisation: tier, isolation, region, lanes and sign-in.',
    access: { staff: 'any' },
    rate: 'global',
    params: PolicyParams,
    reply: { 200: PolicyReply },
    handle: ({ app, params }) => showPolicy(app, params.orgId),
  }),

  route('policy.change', 'PUT /orgs/{orgId}/policy', {
    summary: 'Change the policy of an organisation. Omitted fields stay unchanged.',
    detail:
      'Applies from the next request. A new `dataIsolation` moves the content while the organisation keeps working: if that takes longer than 20 seconds, the reply has `moving` and the move continues in the background. Only a super admin can change the policy of an organisation that they belong to.',
    access: { staff: ['operator', 'super_admin'] },
    stepUp: true,
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
