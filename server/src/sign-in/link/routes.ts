// Endpoints of magic links.
import { type Route, raw, route } from '../../platform/http/route.ts'
import { ok } from '../../platform/http/shapes.ts'
import { Address, LinkOpened, LoginReply, Token } from '../schema.ts'
import { consumeMagicLink, openMagicLink } from './magic-link.ts'
import { type MailedLinkKind, requestLink } from './mailed-links.ts'

/** An endpoint that requests a mailed link of one kind. */
export const linkRequestRoute = (
  name: string,
  address: `POST /${string}`,
  kind: MailedLinkKind,
  more: { summary: string; detail: string; duringMaintenance?: string },
): Route =>
  route(name, address, {
    ...more,
    access: 'none',
    rate: 'auth',
    body: Address,
    reply: { 200: ok },
    errors: ['too_many_attempts'],
    handle: async ({ app, request, body }) => {
      await requestLink(app, request, kind, body.email)
      return { ok: true as const }
    },
  })

export const magicRoutes = [
  linkRequestRoute('auth.magic.request', 'POST /auth/magic/request', 'magic', {
    summary: 'Send a sign-in link.',
    detail:
      'The reply is the same for every address. The link works once, for 15 minutes. Limit per address in 15 minutes: three of these mails, and eight of all kinds.',
    duringMaintenance: 'Staff sign in here.',
  }),

  route('auth.magic.open', 'GET /auth/magic/consume', {
    summary: 'Sign in by opening the link in the mail.',
    detail:
      'Signs in the browser that requested the link, or a program in the same network as the requesting program. Other browsers are redirected to a page with a button, and other programs must post the token (`confirm`), because mail scanners open links too.',
    access: 'none',
    rate: 'auth',
    head: false,
    query: Token,
    carriesSecret: true,
    reply: {
      200: LinkOpened,
      302: raw('', 'Redirects browsers to the app, or to a page that asks or explains.'),
    },
    errors: ['link_invalid', 'sso_required', 'outcome_unknown'],
    handle: ({ app, request, query }) => openMagicLink(app, request, query.token),
  }),

  route('auth.magic.consume', 'POST /auth/magic/consume', {
    summary: 'Sign in with the token in the mail.',
    access: 'none',
    rate: 'auth',
    audit: true,
    duringMaintenance: 'Staff sign in here.',
    body: Token,
    carriesSecret: true,
    reply: { 200: LoginReply },
    errors: ['link_invalid', 'sso_required'],
    handle: ({ app, request, body }) => consumeMagicLink(app, request, body.token),
  }),
]
