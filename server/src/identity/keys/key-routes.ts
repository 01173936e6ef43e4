// Endpoints of API keys.
import { route } from '../../platform/http/route.ts'
import { ok } from '../../platform/http/shapes.ts'
import { ApiKey, CreatedKey, KeyChangeBody, KeysPage, KeysQuery, NewKeyBody } from './key-schema.ts'
import { changeKey, createOwnKey, listKeys, revokeKey } from './keys.ts'

export const keyRoutes = [
  route('keys.list', 'GET /auth/keys', {
    summary: 'List your API keys in this organisation, newest first.',
    detail:
      'Owners and admins see every key of the organisation. An API key sees the keys of the user who created it. Revoked keys are not listed; expired keys are.',
    access: 'any',
    rate: 'global',
    query: KeysQuery,
    reply: { 200: KeysPage },
    handle: ({ app, actor, query }) => listKeys(app, actor, query),
  }),

  route('keys.create', 'POST /auth/keys', {
    summary: 'Create an API key for this organisation.',
    detail:
      'Only this reply contains the key. An API key can grant only its own scopes. A user can have 50 valid keys in one organisation. The limits of an API key also apply to the keys that it creates: they spend from its budget and cannot have wider limits.',
    access: { scope: 'keys:manage' },
    rate: 'global',
    audit: true,
    body: NewKeyBody,
    carriesSecret: true,
    reply: { 200: CreatedKey },
    errors: ['limit_reached'],
    handle: ({ app, actor, body, request }) => createOwnKey(app, actor, body, request.address),
  }),

  route('keys.change', 'PATCH /auth/keys/{id}', {
    summary: 'Change the name and the limits of an API key.',
    detail:
      'Omitted fields stay unchanged, and null removes a limit. You can change your own keys; owners and admins can change any key of the organisation. An API key can change only the keys that it created. Applies from the next request. Changing the budget or its period keeps the count of spent money.',
    access: { scope: 'keys:manage' },
    rate: 'global',
    audit: true,
    body: KeyChangeBody,
    reply: { 200: ApiKey },
    errors: ['forbidden'],
    handle: ({ app, actor, params, body, request }) =>
      changeKey(app, actor, params.id ?? '', body, request.address),
  }),

  route('keys.revoke', 'DELETE /auth/keys/{id}', {
    summary: 'Revoke an API key immediately.',
    detail:
      'You can revoke your own keys; owners and admins can revoke any key of the organisation. An API key can revoke itself and the other keys of its user. Revoking a key also revokes every key created with it.',
    access: 'any',
    rate: 'global',
    audit: true,
    reply: { 200: ok },
    handle: async ({ app, actor, params, request }) => {
      await revokeKey(app, actor, params.id ?? '', request.address)
      return { ok: true as const }
    },
  }),
]
