// The ids in paths, queries and bodies of routes, so that a test can call every route with ids of another organisation.
import type { Route } from '@cowrie/server/src/platform/http/route.ts'
import { paramNames } from '@cowrie/server/src/platform/http/route.ts'
import type { ResourceKind } from './tenant-world.ts'

export type RouteIds = {
  /** The kind of resource of each id in the path, query and body. */
  readonly path?: Readonly<Record<string, ResourceKind>>
  readonly query?: Readonly<Record<string, ResourceKind>>
  readonly body?: Readonly<Record<string, ResourceKind>>
  /** Other required fields of the body. */
  readonly rest?: object
  /** The expected status for a user of another organisation. Default 404. */
  readonly refused?: 400 | 403
}

const inOrg = (rest?: object): RouteIds => ({ path: { orgId: 'org' }, ...(rest && { rest }) })
const ofMember = (rest?: object): RouteIds => ({
  path: { orgId: 'org', userId: 'member' },
  ...(rest && { rest }),
})
const one = (kind: ResourceKind, rest?: object): RouteIds => ({ path: { id: kind }, ...(rest && { rest }) })

/** Every route with an id of an organisation or user, except routes for staff. */
export const ROUTE_IDS: Readonly<Record<string, RouteIds>> = {
  'DELETE /me/sessions/{id}': one('session'),
  'POST /me/org': { body: { orgId: 'org' } },
  'DELETE /auth/keys/{id}': one('key'),
  'PATCH /auth/keys/{id}': one('key', { name: 'Mine now' }),
  'DELETE /auth/passkeys/{id}': one('passkey'),
  'DELETE /me/push-subscriptions/{id}': one('pushSubscription'),
  'PATCH /teams/{orgId}': inOrg({ name: 'Mine now' }),
  'GET /teams/{orgId}/members': inOrg(),
  'POST /teams/{orgId}/members': inOrg({ email: 'mallory@example.com', role: 'admin' }),
  'POST /teams/{orgId}/members/{userId}/invite': ofMember({}),
  'PATCH /teams/{orgId}/members/{userId}': ofMember({ role: 'admin' }),
  'DELETE /teams/{orgId}/members/{userId}': ofMember(),
  'POST /teams/{orgId}/leave': inOrg({}),
  'POST /teams/{orgId}/transfer': { path: { orgId: 'org' }, body: { userId: 'member' } },
  'GET /teams/{orgId}/usage': inOrg(),
  'PATCH /orgs/{orgId}/sign-in': inOrg({ githubAllowed: true }),
  'GET /orgs/{orgId}/export': inOrg(),
  'GET /orgs/{orgId}/ip-allow-list': inOrg(),
  'PUT /orgs/{orgId}/ip-allow-list': inOrg({ entries: [{ cidr: '203.0.113.0/24' }] }),
  'DELETE /orgs/{orgId}': inOrg({ confirm: 'Acme' }),
  'GET /webhook-endpoints/{id}': one('endpoint'),
  'PATCH /webhook-endpoints/{id}': one('endpoint', { enabled: false }),
  'DELETE /webhook-endpoints/{id}': one('endpoint'),
  'POST /webhook-endpoints/{id}/rotate-secret': one('endpoint', {}),
  'POST /webhook-endpoints/{id}/test': one('endpoint', {}),
  'GET /webhook-endpoints/{id}/deliveries': one('endpoint'),
  'POST /webhook-deliveries/{id}/replay': one('delivery', {}),
  'GET /wallet/ledger/{id}': one('entry'),
  'GET /invoices/{id}': one('invoice'),
  'GET /invoices/{id}/receipt': one('invoice'),
  'POST /invoices/{id}/pay': one('invoice', {}),
  'GET /credit-notes/{id}/receipt': one('creditNote'),
  'POST /wallet/verify': { body: { reference: 'undecidedPayment' } },
  'POST /wallet/topups/{reference}/otp': { path: { reference: 'undecidedPayment' }, rest: { otp: '123456' } },
  'POST /payment-methods/{id}/default': one('card', {}),
  'DELETE /payment-methods/{id}': one('card'),
  'PUT /wallet/automatic-topup': {
    body: { cardId: 'card' },
    rest: { thresholdMinor: 50_000, amountMinor: 200_000, monthlyMaxMinor: 1_000_000 },
  },
  'GET /agent/runs/{id}': one('run'),
  'POST /agent/runs/{id}/stop': one('run', {}),
  'POST /v1/responses': {
    body: { previous_response_id: 'response' },
    rest: { model: 'open', input: 'hello' },
    refused: 400,
  },
  'GET /v1/responses/{id}': one('response'),
  'GET /v1/responses/{id}/input_items': one('response'),
  'DELETE /v1/responses/{id}': one('response'),
  'GET /chat/threads/{id}': one('thread'),
  'PATCH /chat/threads/{id}': one('thread', { title: 'Mine now' }),
  'DELETE /chat/threads/{id}': one('thread'),
  'POST /chat/threads/{id}/messages': one('thread', { prompt: 'hello' }),
  'POST /chat/threads/{id}/quote': one('thread', { prompt: 'hello' }),
  'POST /chat/threads/{id}/stop': one('thread', {}),
  'GET /projects/{id}': one('project'),
  'PATCH /projects/{id}': one('project', { name: 'Mine now' }),
  'PUT /projects/{id}/members/{userId}': {
    path: { id: 'project', userId: 'member' },
    rest: { access: 'editor' },
  },
  'DELETE /projects/{id}/members/{userId}': { path: { id: 'project', userId: 'member' } },
  'GET /attachments': { query: { projectId: 'project' } },
  'GET /attachments/{id}': one('attachment'),
  'DELETE /attachments/{id}': one('attachment'),
  'PATCH /vcs/installations/{id}/settings': one('installation', { inlineComments: false }),
  'GET /vcs/installations/{id}/permissions': one('installation'),
  'GET /vcs/installations/{id}/repositories': one('installation'),
  'GET /vcs/installations/{id}/branches': { path: { id: 'installation' }, refused: 400 },
  'DELETE /vcs/connections/{id}': one('installation'),
  'GET /review/findings/{id}': one('finding'),
  'POST /review/findings/{id}/adjudicate': one('finding', { verdict: 'refuted' }),
  'POST /research': {
    body: { projectId: 'project', conversationId: 'thread' },
    rest: { question: 'Why?' },
    refused: 403,
  },
  'GET /research': { query: { projectId: 'project' } },
  'GET /research/{id}': one('research'),
  'GET /research/{id}/sources/{n}': { path: { id: 'research', n: 'source' } },
  'GET /research/{id}/stream': one('research'),
  'POST /research/{id}/cancel': one('research', {}),
  'DELETE /research/{id}': one('research'),
  'POST /research/{id}/follow-ups': one('research', { question: 'Why?' }),
  'POST /research/{id}/answer': one('research', { answer: 'Lagos' }),
  'POST /research/{id}/plan': one('research', {}),
  'GET /tasks/{id}': one('task'),
  'PATCH /tasks/{id}': one('task', { title: 'Mine now' }),
  'DELETE /tasks/{id}': one('task'),
  'POST /tasks/{id}/quote': one('task', { prompt: 'hello' }),
  'POST /tasks/{id}/turns': one('task', { prompt: 'hello' }),
  'GET /tasks/{id}/stream': one('task'),
  'POST /tasks/{id}/stop': one('task', {}),
  'POST /tasks/{id}/tool-results': one('task', { results: [{ callId: 'call_1_2', ok: true, output: '' }] }),
  'GET /tasks/{id}/tool-results/{callId}': { path: { id: 'task', callId: 'toolCall' } },
  'POST /tasks/{id}/approvals': one('task', { approvalId: 'call_1_2', allow: true }),
  'GET /tasks/{id}/diff': { path: { id: 'task' }, query: { from: 'turn' } },
  'GET /tasks/{id}/files': one('task'),
  'GET /tasks/{id}/files/{path}': { path: { id: 'task', path: 'taskFile' } },
  'POST /tasks/{id}/revert': { path: { id: 'task' }, body: { turnId: 'turn' } },
  'POST /tasks/{id}/reject': one('task', { files: [{ path: 'a.txt', sha256: null }] }),
  'POST /tasks/{id}/pull-request': one('task', {}),
  'GET /orgs/{orgId}/sso/scim': inOrg(),
  'POST /orgs/{orgId}/sso/scim/tokens': inOrg({ name: 'Mallory' }),
  'DELETE /orgs/{orgId}/sso/scim/tokens/{tokenId}': { path: { orgId: 'org', tokenId: 'scimToken' } },
  'GET /audit': { query: { orgId: 'org' } },
  'GET /audit/verify': { query: { orgId: 'org' } },
  'GET /wallet/ledger': { query: { orgId: 'org' } },
  'GET /usage/requests': { query: { orgId: 'org' } },
  'GET /usage/requests/summary': { query: { orgId: 'org' } },
  'GET /metrics/overview': { query: { orgId: 'org' } },
  'GET /metrics/usage': { query: { orgId: 'org' } },
  'GET /metrics/timeseries': { query: { orgId: 'org' } },
  'GET /metrics/kpis': { query: { orgId: 'org' } },
}

/** Routes whose ids reveal no tenant data, with the reason. */
export const WITHOUT_TENANT_DATA: Readonly<Record<string, string>> = {
  'GET /auth/device/{userCode}': 'a code that a program shows to its user',
  'POST /auth/device/{userCode}/approve': 'the same',
  'POST /auth/device/{userCode}/deny': 'the same',
  'GET /auth/sso/initiate': 'called before sign-in; returns the sign-in address of an organisation',
  'GET /transparency/tile/{path}': 'public hashes of heads, without names of organisations',
  'GET /pay/return': 'the provider redirects the payer here; it returns no payment data',
  'GET /pay/mock/{reference}':
    'the mock payment page; its address is the credential, as on a provider’s page',
  'POST /pay/mock/{reference}': 'the same',
  'POST /webhooks/rail/{token}': 'a secret token of the rail',
  'PUT /webhooks/rail/{token}': 'the same',
  'POST /webhooks/paybill/{token}/validation': 'the same',
  'POST /webhooks/paybill/{token}/confirmation': 'the same',
  'POST /webhooks/paybill/{token}/result/{inquiry}': 'the same, and a random part that is used once',
  'POST /webhooks/paybill/{token}/timeout/{inquiry}': 'the same',
  'POST /webhooks/gitlab/{id}':
    'the secret of the connection proves the sender; every other answer is the same',
  'POST /webhooks/bitbucket/{id}': 'the same',
  'GET /v1/models/{id}': 'models are the same for all organisations',
  'GET /v1beta/models/{model}': 'the same',
  'POST /v1beta/models/{model}:generateContent': 'the same',
  'POST /v1beta/models/{model}:streamGenerateContent': 'the same',
  'POST /v1beta/models/{model}:countTokens': 'the same',
  'POST /vcs/installations/claim': 'a GitHub installation id; ownership is verified with GitHub',
  'PUT /billing/details': '`taxId` is not an id of a resource',
  'PUT /review/custom-rules/{id}': 'organisations choose the names of their rules',
  'DELETE /review/custom-rules/{id}': 'the same; a name without a rule is a 404',
  ...Object.fromEntries(
    ['Users', 'Groups'].flatMap((name) =>
      ['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => [
        `${method} /scim/v2/${name}/{id}`,
        'only a SCIM token opens it; a test of the module uses that of another organisation',
      ]),
    ),
  ),
  'GET /scim/v2/ResourceTypes/{name}': 'the same for all organisations',
  'GET /scim/v2/Schemas/{urn}': 'the same',
  'POST /scim/v2/Users': 'only a SCIM token opens it; `externalId` is a name of the directory service',
  'POST /scim/v2/Groups': 'the same',
  'POST /mcp': 'the id of a JSON-RPC message; tools check access in the operations they call',
}

/** Bodies for staff routes that name an organisation. */
export const STAFF_BODIES: Readonly<Record<string, object>> = {
  'POST /orgs/{orgId}/sso': { type: 'oidc', issuer: 'https://idp.example.com', clientId: 'cowrie' },
  'PATCH /orgs/{orgId}/sso': { enabled: false },
  'POST /orgs/{orgId}/sso/domains': { domain: 'example.org' },
  'POST /admin/kyc/{orgId}/review': { status: 'verified' },
  'PUT /orgs/{orgId}/flags/{key}': { enabled: true },
  'PUT /orgs/{orgId}/policy': { tier: 'team' },
  'POST /audit/anchors/accept': { reason: 'restored' },
  'POST /wallet/refund': { amountMinor: 1, reason: 'kindness', source: 'adjustment' },
  'POST /admin/orgs/{id}/comp': { planCode: 'pro', reason: 'kindness' },
  'POST /admin/orgs/{id}/suspend': { reason: 'a test' },
  'POST /admin/orgs/{id}/unsuspend': {},
}

export const addressOf = ({ method, path }: Route): string => `${method} ${path}`

/** Whether only staff may use the `orgId` query of this route. Others are refused for any id. */
export const namesForStaff = ({ query }: Route): boolean => keysOf(query).includes('orgId')

export const isForStaff = ({ access }: Route): boolean => typeof access === 'object' && 'staff' in access

const ID_LIKE = /^(id|reference|topup)$|(Id|_id)$/

/** Whether the route takes an id in its path, query or body. */
export const namesSomething = (route: Route): boolean =>
  paramNames(route.path).length > 0 ||
  [...keysOf(route.query), ...keysOf(route.body)].some((key) => ID_LIKE.test(key))

type Shape = { shape?: object; def?: { options?: unknown[]; in?: unknown; innerType?: unknown } }

/** The fields of a schema, including those of unions and wrapped schemas. */
export function keysOf(given: unknown): string[] {
  if (typeof given !== 'object' || given === null) return []
  const { shape, def = {} } = given as Shape
  if (shape) return Object.keys(shape)
  return [...(def.options ?? []), def.in, def.innerType].flatMap(keysOf)
}
