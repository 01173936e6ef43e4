// Endpoints of two-step sign-in, in the order of use.
import { route } from '../../platform/http/route.ts'
import { ok, signedIn } from '../../platform/http/shapes.ts'
import { RequestOptions } from '../passkey/schema.ts'
import { answerChallenge } from './challenge.ts'
import { confirmEnrolment, disableMfa, getMfaStatus, replaceRecoveryCodes, startEnrolment } from './mfa.ts'
import {
  ChallengeAnswer,
  CodeBody,
  Enrolment,
  MfaStatus,
  RecoveryCodes,
  SteppedUp,
  StepUpBody,
} from './schema.ts'
import { getStepUpOptions, stepUp } from './step-up.ts'

export const mfaRoutes = [
  route('auth.mfa.get', 'GET /auth/mfa', {
    summary: 'Get the status of two-step sign-in, recovery codes and passkeys.',
    access: 'session',
    rate: 'global',
    reply: { 200: MfaStatus },
    handle: ({ app, actor }) => getMfaStatus(app, actor),
  }),

  route('auth.mfa.enroll', 'POST /auth/mfa/enroll', {
    summary: 'Start the setup of an authenticator app.',
    detail:
      'The secret is shown only once and has no effect until `POST /auth/mfa/verify` confirms it. A new call replaces it. You must have signed in within the last 15 minutes.',
    access: 'session',
    rate: 'auth',
    carriesSecret: true,
    reply: { 200: Enrolment },
    errors: ['mfa_already_enabled', 'reauth_required', 'step_up_required', 'forbidden'],
    handle: ({ app, actor }) => startEnrolment(app, actor),
  }),

  route('auth.mfa.verify', 'POST /auth/mfa/verify', {
    summary: 'Turn two-step sign-in on with a first code, and receive the recovery codes.',
    detail: 'The recovery codes are shown only once. Every other session of the account ends.',
    access: 'session',
    rate: 'auth',
    audit: true,
    body: CodeBody,
    carriesSecret: true,
    reply: { 200: RecoveryCodes },
    errors: ['wrong_code', 'mfa_already_enabled', 'mfa_not_enabled', 'step_up_required', 'forbidden'],
    handle: async ({ app, actor, body, request }) => ({
      ok: true as const,
      recoveryCodes: await confirmEnrolment(app, actor, request, body.code),
    }),
  }),

  route('auth.mfa.challenge', 'POST /auth/mfa/challenge', {
    summary: 'Finish a sign-in with a code of the authenticator app or a recovery code.',
    detail:
      'Each code works once. Five wrong codes end the challenge. Ten within five minutes, or fifty within a day, block further codes for that time.',
    access: 'none',
    rate: 'auth',
    audit: true,
    duringMaintenance: 'Staff sign in here.',
    body: ChallengeAnswer,
    reply: { 200: signedIn },
    errors: ['wrong_code', 'challenge_ended', 'sso_required', 'too_many_attempts'],
    handle: async ({ app, body, request }) => ({
      ok: true as const,
      ...(await answerChallenge(app, request, body)),
    }),
  }),

  route('auth.stepUp.options', 'POST /auth/step-up/options', {
    summary: 'Get the options for confirming with a passkey that it is you.',
    access: 'session',
    rate: 'auth',
    carriesSecret: true,
    reply: { 200: RequestOptions },
    handle: ({ app, actor }) => getStepUpOptions(app, actor),
  }),

  route('auth.stepUp.confirm', 'POST /auth/step-up', {
    summary: 'Confirm that it is you with a code or a passkey.',
    detail:
      'Counts for this session only. For ten minutes it opens the staff calls that need a recent second factor. Wrong codes count like those of a sign-in.',
    access: 'session',
    rate: 'auth',
    audit: true,
    body: StepUpBody,
    bodyLimitBytes: 64 * 1024,
    reply: { 200: SteppedUp },
    errors: ['wrong_code', 'passkey_refused', 'mfa_not_enabled', 'too_many_attempts'],
    handle: ({ app, actor, body, request }) => stepUp(app, actor, request, body),
  }),

  route('auth.mfa.recoveryCodes', 'POST /auth/mfa/recovery-codes', {
    summary: 'Replace the recovery codes. Requires a code.',
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
    summary: 'Turn two-step sign-in off. Requires a code.',
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
