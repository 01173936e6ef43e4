// Endpoints of a change of the address.
import { z } from 'zod'
import { route } from '../../platform/http/route.ts'
import { ok, timestamp } from '../../platform/http/shapes.ts'
import { Address, Token } from '../schema.ts'
import {
  cancelEmailChange,
  confirmEmailChange,
  requestEmailChange,
  revertEmailChange,
} from './email-change.ts'

export const PendingEmail = z.object({ email: z.string(), expiresAt: timestamp })

const PROTECTS = 'Undoing a change protects the owner of the account.'

export const emailChangeRoutes = [
  route('me.email.change', 'POST /me/email', {
    summary: 'Change the email address of your account.',
    detail:
      'Mails a confirmation link to the new address and a link to cancel to the old one. The change takes effect when the new mailbox confirms it within 24 hours; a new request replaces an earlier one. The reply is the same for an address that has an account. Five requests per hour. You must have signed in within the last 15 minutes. Refused for addresses whose domain an organisation manages with single sign-on.',
    access: 'session',
    rate: 'auth',
    audit: true,
    body: Address,
    reply: { 200: ok.extend({ pendingEmail: PendingEmail }) },
    errors: ['reauth_required', 'step_up_required', 'forbidden', 'email_managed_by_sso', 'too_many_attempts'],
    handle: ({ app, actor, request, body }) => requestEmailChange(app, actor, request, body.email),
  }),

  route('me.email.cancel', 'DELETE /me/email', {
    summary: 'Cancel the change of your email address that waits for its confirmation.',
    access: 'session',
    rate: 'global',
    audit: true,
    duringMaintenance: PROTECTS,
    reply: { 200: ok },
    errors: ['not_found'],
    handle: async ({ app, actor, request }) => {
      await cancelEmailChange(app, actor, request)
      return { ok: true as const }
    },
  }),

  route('me.email.confirm', 'POST /me/email/confirm', {
    summary: 'Confirm your new email address with the token in the mail to it.',
    detail: 'Your other sessions end. API keys stay. The old address can undo the change for seven days.',
    access: 'session',
    rate: 'auth',
    audit: true,
    body: Token,
    reply: { 200: ok },
    errors: ['link_invalid', 'forbidden', 'email_taken', 'email_managed_by_sso'],
    handle: async ({ app, actor, request, body }) => {
      await confirmEmailChange(app, actor, request, body.token)
      return { ok: true as const }
    },
  }),

  route('auth.email.revert', 'POST /auth/email/revert', {
    summary: 'Cancel or undo a change of the email address with the token in the mail to the old one.',
    detail:
      'Undoing restores the address, ends every session and pending link, removes the password, GitHub, and newer passkeys and authenticator apps, and mails a link to choose a new password.',
    access: 'none',
    rate: 'auth',
    audit: true,
    duringMaintenance: PROTECTS,
    body: Token,
    reply: {
      200: ok.extend({
        restored: z
          .boolean()
          .meta({ description: 'Whether the change had taken effect. Otherwise it was only cancelled.' }),
      }),
    },
    errors: ['link_invalid', 'email_taken'],
    handle: ({ app, request, body }) => revertEmailChange(app, request, body.token),
  }),
]
