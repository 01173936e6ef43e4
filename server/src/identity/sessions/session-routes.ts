// Endpoints of the caller's account and sessions.
import { route } from '../../platform/http/route.ts'
import { ok } from '../../platform/http/shapes.ts'
import { AccountBody, EndedSessions, SessionsListing } from '../accounts/account-schema.ts'
import { updateAccount } from '../accounts/accounts.ts'
import { endOtherSessions, endSession, listSessions } from './session-list.ts'

export const sessionRoutes = [
  route('me.update', 'PATCH /me', {
    summary: 'Change your name or the language of your mails.',
    detail: 'An omitted field stays unchanged.',
    access: 'session',
    rate: 'global',
    audit: true,
    body: AccountBody,
    reply: { 200: ok },
    handle: async ({ app, actor, body, request }) => {
      await updateAccount(app, actor, body, request)
      return { ok: true as const }
    },
  }),

  route('me.sessions.list', 'GET /me/sessions', {
    summary: 'List your open sessions.',
    detail: 'A session ends 30 days after sign-in, or after 7 days without a request.',
    access: 'session',
    rate: 'global',
    reply: { 200: SessionsListing },
    handle: ({ app, actor }) => listSessions(app, actor),
  }),

  route('me.sessions.endOthers', 'DELETE /me/sessions', {
    summary: 'End all your other sessions.',
    access: 'session',
    rate: 'global',
    audit: true,
    reply: { 200: EndedSessions },
    handle: async ({ app, actor, request }) => ({
      ok: true as const,
      ended: await endOtherSessions(app, actor, request),
    }),
  }),

  route('me.sessions.end', 'DELETE /me/sessions/{id}', {
    summary: 'End one of your sessions immediately.',
    access: 'session',
    rate: 'global',
    audit: true,
    reply: { 200: ok },
    handle: async ({ app, actor, params, request }) => {
      await endSession(app, actor, params.id ?? '', request)
      return { ok: true as const }
    },
  }),
]
