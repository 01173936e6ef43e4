// Endpoints of accounts with passwords: opening one, signing in, choosing another password.
import { answer } from '../../platform/http/answer.ts'
import { raw, route } from '../../platform/http/route.ts'
import { ok } from '../../platform/http/shapes.ts'
import { linkRequestRoute } from '../link/routes.ts'
import { Change, Login, LoginReply, Register, Registered, Reset, Token, Verified } from '../schema.ts'
import { login } from './login.ts'
import { openVerification, register, verifyAddress } from './registration.ts'
import { changePassword, resetPassword } from './reset.ts'

const DONE = { ok: true as const }

export const passwordRoutes = [
  route('auth.register', 'POST /auth/register', {
    summary: 'Open an account and send a mail to confirm its address.',
    detail:
      'The answer is the same for an address that has an account, whose owner is told by mail. The link in the mail works once, for 24 hours.',
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
      'Confirms at once for whoever shows the cookie that registering gave, and for a program in the network of the program that registered. Any other browser is sent to a page with a button, and any other program is told to post the token (`confirm`): mail scanners open links too.',
    access: 'none',
    rate: 'auth',
    head: false,
    query: Token,
    reply: { 200: Verified, 302: raw('', 'For browsers: to the app, or to the page that asks or explains.') },
    errors: ['link_invalid', 'outcome_unknown'],
    handle: ({ app, request, query }) => openVerification(app, request, query.token),
  }),

  route('auth.verify', 'POST /auth/verify', {
    summary: 'Confirm an address with the token of its mail.',
    access: 'none',
    rate: 'auth',
    audit: true,
    body: Token,
    reply: { 200: ok },
    errors: ['link_invalid'],
    handle: async ({ app, request, body }) => {
      await verifyAddress(app, request, body.token)
      return DONE
    },
  }),

  linkRequestRoute('auth.verifyResend', 'POST /auth/verify/resend', 'verify', {
    summary: 'Send the mail that confirms an address again.',
    detail:
      'The answer is the same for every address. In 15 minutes at most three such mails, and eight of all kinds, go to one address.',
  }),

  route('auth.login', 'POST /auth/login', {
    summary: 'Sign in with a password.',
    detail:
      'Sets the session cookie, or answers with a challenge for POST /auth/mfa/challenge. After ten wrong passwords for an account in 15 minutes the network has to wait, and after a hundred from everywhere all networks have; browsers that were signed in before have a count of their own.',
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
    summary: 'Send a link with which a new password can be chosen.',
    detail: 'The answer is the same for every address. The link works once, for one hour.',
  }),

  route('auth.password.reset', 'POST /auth/password/reset', {
    summary: 'Choose a new password with the token of a mail, and end every session of the account.',
    detail: 'Also confirms the address. Does not sign in; a second factor stays.',
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
