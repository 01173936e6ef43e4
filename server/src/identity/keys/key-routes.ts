// The endpoints of API keys.
import { route } from '../../platform/http/route.ts'
import { ok } from '../../platform/http/shapes.ts'
import { CreatedKey, KeysPage, KeysQuery, NewKeyBody } from './key-schema.ts'
import { createOwnKey, listKeys, revokeKey } from './keys.ts'

export const keyRoutes = [
  route('keys.list', 'GET /auth/keys', {
    summary: 'Your API keys in this organisation, newest first.',
    detail:
      'Owners and admins see the keys of everybody in the organisation; a key sees those of the person who made it. Revoked keys are gone; expired ones stay until they are revoked.',
    access: 'any',
    rate: 'global',
    query: KeysQuery,
    reply: { 200: KeysPage },
    handle: ({ app, actor, query }) => listKeys(app, actor, query),
  }),

  route('keys.create', 'POST /auth/keys', {
    summary: 'Make an API key for this organisation.',
    detail:
      'The key is in this answer and never shown again. A key can grant only the scopes that it has itself. A person has at most 50 keys that work in one organisation.',
    access: { scope: 'keys:manage' },
    rate: 'global',
    audit: true,
    body: NewKeyBody,
    carriesSecret: true,
    reply: { 200: CreatedKey },
    errors: ['limit_reached'],
    handle: ({ app, actor, body, request }) => createOwnKey(app, actor, body, request.address),
  }),

  route('keys.revoke', 'DELETE /auth/keys/{id}', {
    summary: 'Revoke an API key, everywhere at once.',
    detail:
      'Your own keys; owners and admins any key of the organisation. A key can revoke itself and the other keys of the person who made it. The keys that a key has created are revoked with it, and those that they created.',
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
