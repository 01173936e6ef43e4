// Endpoints of single sign-on: first the sign-in, then the administration by staff.
import { type Route, raw, route } from '../platform/http/route.ts'
import { ok } from '../platform/http/shapes.ts'
import { addConnection, changeConnection, getConnection, removeConnection } from './connection-admin.ts'
import { addDomain, listDomains, removeDomain } from './domains.ts'
import { initiate, redirectBrowser } from './login/initiate.ts'
import { finishOidcLogin } from './login/oidc.ts'
import { samlRoutes } from './saml/routes.ts'
import {
  CallbackQuery,
  ConnectionChange,
  ConnectionReply,
  Domain,
  DomainBody,
  DomainList,
  InitiateQuery,
  NewConnection,
} from './schema.ts'

const writers = { staff: ['operator', 'super_admin'] } as const

export const ssoRoutes: readonly Route[] = [
  route('auth.sso.initiate', 'GET /auth/sso/initiate', {
    summary: 'Start a sign-in at an organisation’s identity provider, by email address or `orgId`.',
    detail:
      'On failure, browsers are redirected to the sign-in page with `?problem=`. `next` is the path in the app to open afterwards.',
    access: 'none',
    rate: 'auth',
    head: false,
    query: InitiateQuery,
    reply: { 302: raw('', 'To the identity provider.') },
    errors: ['not_found', 'sso_failed', 'sso_unreachable', 'outcome_unknown'],
    handle: ({ app, query, request }) =>
      redirectBrowser(request, () => initiate(app, request, query), query.next),
  }),

  route('auth.sso.oidcCallback', 'GET /auth/sso/oidc/callback', {
    summary: 'Complete an OpenID Connect sign-in.',
    access: 'none',
    rate: 'auth',
    head: false,
    query: CallbackQuery,
    reply: { 302: raw('', 'Signed in. Redirects to the app.') },
    errors: ['sso_failed', 'seats_exceeded', 'sso_required', 'sso_unreachable', 'outcome_unknown'],
    handle: ({ app, query, request }) => redirectBrowser(request, () => finishOidcLogin(app, request, query)),
  }),

  ...samlRoutes,

  route('orgs.sso.get', 'GET /orgs/{orgId}/sso', {
    summary: 'Show an organisation’s single sign-on connection, without its secrets.',
    access: { staff: 'any' },
    rate: 'global',
    reply: { 200: ConnectionReply },
    handle: ({ app, params }) => getConnection(app, params.orgId ?? ''),
  }),

  route('orgs.sso.add', 'POST /orgs/{orgId}/sso', {
    summary: 'Connect an organisation to its identity provider, by OpenID Connect or SAML.',
    access: writers,
    stepUp: true,
    rate: 'global',
    audit: true,
    body: NewConnection,
    reply: { 201: ConnectionReply },
    errors: ['connection_exists', 'invalid_connection'],
    handle: ({ app, actor, params, body, request }) =>
      addConnection(app, actor, params.orgId ?? '', body, request),
  }),

  route('orgs.sso.change', 'PATCH /orgs/{orgId}/sso', {
    summary: 'Change an organisation’s connection. Missing fields keep their value.',
    access: writers,
    stepUp: true,
    rate: 'global',
    audit: true,
    body: ConnectionChange,
    reply: { 200: ConnectionReply },
    errors: ['invalid_connection'],
    handle: ({ app, actor, params, body, request }) =>
      changeConnection(app, actor, params.orgId ?? '', body, request),
  }),

  route('orgs.sso.remove', 'DELETE /orgs/{orgId}/sso', {
    summary: 'Delete an organisation’s connection and the identities linked through it.',
    access: writers,
    stepUp: true,
    rate: 'global',
    audit: true,
    reply: { 200: ok },
    handle: ({ app, actor, params, request }) => removeConnection(app, actor, params.orgId ?? '', request),
  }),

  route('orgs.sso.domains.list', 'GET /orgs/{orgId}/sso/domains', {
    summary: 'List the email domains an organisation has claimed.',
    access: { staff: 'any' },
    rate: 'global',
    reply: { 200: DomainList },
    handle: ({ app, params }) => listDomains(app, params.orgId ?? ''),
  }),

  route('orgs.sso.domains.add', 'POST /orgs/{orgId}/sso/domains', {
    summary: 'Claim an email domain. Call it again to check the TXT record.',
    access: writers,
    stepUp: true,
    rate: 'global',
    audit: true,
    body: DomainBody,
    reply: { 200: Domain },
    errors: ['domain_taken', 'domain_refused', 'limit_reached'],
    handle: ({ app, actor, params, body, request }) =>
      addDomain(app, actor, params.orgId ?? '', body.domain, request),
  }),

  route('orgs.sso.domains.remove', 'DELETE /orgs/{orgId}/sso/domains/{domain}', {
    summary: 'Remove an email domain from an organisation.',
    access: writers,
    stepUp: true,
    rate: 'global',
    audit: true,
    reply: { 200: ok },
    handle: ({ app, actor, params, request }) =>
      removeDomain(app, actor, params.orgId ?? '', params.domain ?? '', request),
  }),
]
