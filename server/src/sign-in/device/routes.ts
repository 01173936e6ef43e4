// Endpoints of the device login: first for programs, then for users.
import { route } from '../../platform/http/route.ts'
import { ok } from '../../platform/http/shapes.ts'
import { approveDeviceLogin, denyDeviceLogin, getDeviceLogin } from './decision.ts'
import { collectDeviceKey, startDeviceLogin } from './device-login.ts'
import { DeviceKey, DeviceRequest, DeviceStarted, DeviceToken, StartDevice } from './schema.ts'

export const deviceRoutes = [
  route('auth.device.start', 'POST /auth/device', {
    summary: 'Request an API key that a user approves in a browser.',
    detail:
      'For programs without a browser. Show the user `verificationUrl` and `userCode`, then call `/auth/device/token` every `interval` seconds until `expiresAt`, ten minutes later.',
    access: 'none',
    rate: 'auth',
    body: StartDevice,
    carriesSecret: true,
    reply: { 200: DeviceStarted },
    errors: ['too_many_attempts'],
    handle: ({ app, body, request }) => startDeviceLogin(app, request, body),
  }),

  route('auth.device.token', 'POST /auth/device/token', {
    summary: 'Collect the API key after the user has approved it.',
    detail:
      'Returns the key once. `authorization_pending` and `slow_down` contain the `interval` to wait; other errors are final.',
    access: 'none',
    // The device code has 256 bits, and the interval limits polling, so the global rate is enough.
    rate: 'global',
    audit: true,
    body: DeviceToken,
    carriesSecret: true,
    reply: { 200: DeviceKey },
    errors: ['authorization_pending', 'slow_down', 'access_denied', 'expired', 'limit_reached'],
    handle: ({ app, body, request }) => collectDeviceKey(app, request, body.deviceCode),
  }),

  route('auth.device.get', 'GET /auth/device/{userCode}', {
    summary: 'Get the request of a program: its scopes and its address.',
    detail: 'Case and dashes of the code are ignored.',
    access: 'session',
    rate: 'auth',
    reply: { 200: DeviceRequest },
    errors: ['too_many_attempts'],
    handle: ({ app, actor, params }) => getDeviceLogin(app, actor, params.userCode ?? ''),
  }),

  route('auth.device.approve', 'POST /auth/device/{userCode}/approve', {
    summary: 'Approve a key for your active organisation.',
    access: 'session',
    rate: 'auth',
    audit: true,
    reply: { 200: ok },
    errors: ['already_decided', 'sso_required', 'too_many_attempts'],
    handle: async ({ app, actor, params, request }) => {
      await approveDeviceLogin(app, actor, request, params.userCode ?? '')
      return { ok: true as const }
    },
  }),

  route('auth.device.deny', 'POST /auth/device/{userCode}/deny', {
    summary: 'Deny the program, or revoke an approval before the key is collected.',
    access: 'session',
    rate: 'auth',
    audit: true,
    reply: { 200: ok },
    errors: ['already_decided', 'too_many_attempts'],
    handle: async ({ app, actor, params, request }) => {
      await denyDeviceLogin(app, actor, request, params.userCode ?? '')
      return { ok: true as const }
    },
  }),
]
