// Two-step sign-in: its endpoints, in the order a person meets them.
import { route } from '../../platform/http/route.ts'
import { ok } from '../../platform/http/shapes.ts'
import { SignedIn } from '../schema.ts'
import { answerChallenge } from './challenge.ts'
import { confirmEnrolment, disableMfa, getMfaStatus, replaceRecoveryCodes, startEnrolment } from './mfa.ts'
import { ChallengeAnswer, CodeBody, Enrolment, MfaStatus, RecoveryCodes } from './schema.ts'

export const mfaRoutes = [
  route('auth.mfa.get', 'GET /auth/mfa', {
    summary: 'Say whether two-step sign-in is on, and what else opens your account.',
    access: 'session',
    rate: 'global',
    reply: { 200: MfaStatus },
    handle: ({ app, actor }) => getMfaStatus(app, actor),
  }),

  route('auth.mfa.enroll', 'POST /auth/mfa/enroll', {
    summary: 'Begin to set up an authenticator app.',
    detail:
      'The secret is shown this once and does nothing until `POST /auth/mfa/verify` confirms it. Beginning again replaces it. The session must have begun within the last 15 minutes.',
    access: 'session',
    rate: 'auth',
    carriesSecret: true,
    reply: { 200: Enrolment },
    errors: ['mfa_already_enabled', 'reauth_required'],
    handle: ({ app, actor }) => startEnrolment(app, actor),
  }),

  route('auth.mfa.verify', 'POST /auth/mfa/verify', {
    summary: 'Turn two-step sign-in on with a first code, and receive the recovery codes.',
    detail: 'The codes are shown this once. Every other session of the account ends.',
    access: 'session',
    rate: 'auth',
    audit: true,
    body: CodeBody,
    carriesSecret: true,
    reply: { 200: RecoveryCodes },
    errors: ['wrong_code', 'mfa_already_enabled', 'mfa_not_enabled'],
    handle: async ({ app, actor, body, request }) => ({
      ok: true as const,
      recoveryCodes: await confirmEnrolment(app, actor, request, body.code),
    }),
  }),

  route('auth.mfa.challenge', 'POST /auth/mfa/challenge', {
    summary: 'Finish a sign-in with a code of the authenticator app or a recovery code.',
    detail:
      'Each code works once. Five wrong codes end the challenge; ten within five minutes, or fifty within a day, shut the account to further codes until that time has passed.',
    access: 'none',
    rate: 'auth',
    audit: true,
    duringMaintenance: 'Staff sign in here.',
    body: ChallengeAnswer,
    reply: { 200: SignedIn },
    errors: ['wrong_code', 'challenge_ended', 'sso_required', 'too_many_attempts'],
    handle: async ({ app, body, request }) => ({
      ok: true as const,
      ...(await answerChallenge(app, request, body)),
    }),
  }),

  route('auth.mfa.recoveryCodes', 'POST /auth/mfa/recovery-codes', {
    summary: 'Replace the recovery codes; a code is asked for again.',
    access: 'session',
    rate: 'auth',
    audit: true,
    body: CodeBody,
    carriesSecret: true,
    reply: { 200: RecoveryCodes },
    errors: ['wrong_code', 'mfa_not_enabled', 'too_many_attempts'],
    handle: async ({ app, actor, body, request }) => ({
      ok: true as const,
      recoveryCodes: await replaceRecoveryCodes(app, actor, request, body.code),
    }),
  }),

  route('auth.mfa.disable', 'POST /auth/mfa/disable', {
    summary: 'Turn two-step sign-in off; a code is asked for again.',
    access: 'session',
    rate: 'auth',
    audit: true,
    body: CodeBody,
    reply: { 200: ok },
    errors: ['wrong_code', 'mfa_not_enabled', 'too_many_attempts'],
    handle: async ({ app, actor, body, request }) => {
      await disableMfa(app, actor, request, body.code)
      return { ok: true as const }
    },
  }),
]
