// Endpoints of passwords: registration, sign-in, reset and change.
import { answer } from '../../platform/http/answer.ts'
import { raw, route } from '../../platform/http/route.ts'
import { ok } from '../../platform/http/shapes.ts'
import { linkRequestRoute } from '../link/routes.ts'
import {
  Change,
  Login,
  LoginReply,
  Register,
  Registered,
  Reset,
  Token,
  Verification,
  Verified,
} from '../schema.ts'
import { login } from './login.ts'
import { openVerification, register, verifyAddress } from './registration.ts'
import { changePassword, resetPassword } from './reset.ts'

const DONE = { ok: true as const }

export const passwordRoutes = [
  route('auth.register', 'POST /auth/register', {
    summary: 'Open an account and send a mail to confirm its address.',
    detail:
      'The reply is the same for an address that already has an account; its owner is notified by mail. The link in the mail works once, for 24 hours.',
    access: 'none',
    rate: 'auth',
    audit: true,
    body: Register,
    reply: { 201: Registered },
    errors: ['weak_password', 'signups_disabled', 'too_many_attempts'],
    handle: async ({ app, request, body }) => {
      await register(app, request, body)
      return answer(201, { ok: true, verificationRequired: true })
    },
  }),

  route('auth.verifyLink', 'GET /auth/verify', {
    summary: 'Confirm an address by opening the link in the mail.',
    detail:
      'Confirms for a program in the same network as the registering program. Other programs must post the token (`confirm`), and browsers are redirected to a page that does, because mail scanners open links too.',
    access: 'none',
    rate: 'auth',
    head: false,
    query: Token,
    reply: {
      200: Verified,
      302: raw('', 'Redirects browsers to a page that confirms, asks or explains.'),
    },
    errors: ['link_invalid', 'outcome_unknown'],
    handle: ({ app, request, query }) => openVerification(app, request, query.token),
  }),

  route('auth.verify', 'POST /auth/verify', {
    summary: 'Confirm an address with the token in the mail, and sign in the browser that registered.',
    access: 'none',
    rate: 'auth',
    audit: true,
    body: Token,
    reply: { 200: Verification },
    errors: ['link_invalid'],
    handle: ({ app, request, body }) => verifyAddress(app, request, body.token),
  }),

  linkRequestRoute('auth.verifyResend', 'POST /auth/verify/resend', 'verify', {
    summary: 'Send the mail that confirms an address again.',
    detail:
      'The reply is the same for every address. Limit per address in 15 minutes: three of these mails, and eight of all kinds.',
  }),

  route('auth.login', 'POST /auth/login', {
    summary: 'Sign in with a password.',
    detail:
      'Sets the session cookie, or returns a challenge for POST /auth/mfa/challenge. Limits of wrong passwords per account in 15 minutes: ten per network and a hundred in total. Browsers that have signed in before have a separate limit.',
    access: 'none',
    rate: 'auth',
    audit: true,
    duringMaintenance: 'Staff sign in here.',
    body: Login,
    carriesSecret: true,
    reply: { 200: LoginReply },
    errors: ['wrong_credentials', 'verification_required', 'sso_required', 'too_many_attempts'],
    handle: ({ app, request, body }) => login(app, request, body),
  }),

  linkRequestRoute('auth.password.forgot', 'POST /auth/password/forgot', 'reset', {
    summary: 'Send a link to choose a new password.',
    detail: 'The reply is the same for every address. The link works once, for one hour.',
  }),

  route('auth.password.reset', 'POST /auth/password/reset', {
    summary: 'Set a new password with the token in the mail, and end every session of the account.',
    detail: 'Also confirms the address. It does not sign in, and the second factor stays.',
    access: 'none',
    rate: 'auth',
    audit: true,
    body: Reset,
    reply: { 200: ok },
    errors: ['link_invalid', 'weak_password'],
    handle: async ({ app, request, body }) => {
      await resetPassword(app, request, body)
      return DONE
    },
  }),

  route('auth.password.change', 'POST /auth/password/change', {
    summary: 'Replace your password, and end all other sessions.',
    access: 'session',
    rate: 'auth',
    audit: true,
    body: Change,
    reply: { 200: ok },
    errors: ['weak_password', 'wrong_credentials', 'too_many_attempts'],
    handle: async ({ app, actor, request, body }) => {
      await changePassword(app, actor, request, body)
      return DONE
    },
  }),
]
