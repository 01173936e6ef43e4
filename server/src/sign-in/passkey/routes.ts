// Endpoints of passkeys, in the order of use.
import { route } from '../../platform/http/route.ts'
import { ok, signedIn } from '../../platform/http/shapes.ts'
import { getSignInOptions, signInWithPasskey } from './login.ts'
import { addPasskey, getRegistrationOptions, listPasskeys, removePasskey } from './passkeys.ts'
import {
  CreationOptions,
  NewPasskey,
  PasskeyAdded,
  PasskeyAnswer,
  PasskeyList,
  PasskeyPath,
  RequestOptions,
} from './schema.ts'

const BODY_BYTES = 64 * 1024

export const passkeyRoutes = [
  route('auth.passkeys.options', 'POST /auth/passkeys/options', {
    summary: 'Get the options for creating a passkey.',
    access: 'session',
    rate: 'auth',
    carriesSecret: true,
    reply: { 200: CreationOptions },
    errors: ['limit_reached', 'reauth_required', 'step_up_required', 'forbidden'],
    handle: ({ app, actor }) => getRegistrationOptions(app, actor),
  }),

  route('auth.passkeys.add', 'POST /auth/passkeys', {
    summary: 'Add the passkey that the browser created.',
    access: 'session',
    rate: 'auth',
    audit: true,
    body: NewPasskey,
    bodyLimitBytes: BODY_BYTES,
    reply: { 201: PasskeyAdded },
    errors: ['passkey_invalid', 'limit_reached', 'reauth_required', 'step_up_required', 'forbidden'],
    handle: async ({ app, actor, body, request }) => ({
      passkey: await addPasskey(app, actor, request, body),
    }),
  }),

  route('auth.passkeys.list', 'GET /auth/passkeys', {
    summary: 'List your passkeys, oldest first. Limit: 20.',
    access: 'session',
    rate: 'global',
    reply: { 200: PasskeyList },
    handle: async ({ app, actor }) => ({ passkeys: await listPasskeys(app, actor) }),
  }),

  route('auth.passkeys.remove', 'DELETE /auth/passkeys/{id}', {
    summary: 'Remove a passkey.',
    access: 'session',
    rate: 'auth',
    audit: true,
    params: PasskeyPath,
    reply: { 200: ok },
    errors: ['reauth_required', 'step_up_required', 'forbidden'],
    handle: async ({ app, actor, params, request }) => {
      await removePasskey(app, actor, request, params.id)
      return { ok: true as const }
    },
  }),

  route('auth.passkeys.signInOptions', 'POST /auth/passkeys/sign-in/options', {
    summary: 'Get the options for a sign-in with a passkey. No address is required.',
    access: 'none',
    rate: 'auth',
    duringMaintenance: 'Staff sign in here.',
    carriesSecret: true,
    reply: { 200: RequestOptions },
    handle: ({ app, request }) => getSignInOptions(app, request),
  }),

  route('auth.passkeys.signIn', 'POST /auth/passkeys/sign-in', {
    summary: 'Sign in with a passkey, which replaces the password and the second step.',
    detail: 'The browser that requested the options must answer within five minutes.',
    access: 'none',
    rate: 'auth',
    audit: true,
    duringMaintenance: 'Staff sign in here.',
    body: PasskeyAnswer,
    bodyLimitBytes: BODY_BYTES,
    reply: { 200: signedIn },
    errors: ['passkey_refused', 'sso_required'],
    handle: async ({ app, body, request }) => ({
      ok: true as const,
      ...(await signInWithPasskey(app, request, body.response)),
    }),
  }),
]
