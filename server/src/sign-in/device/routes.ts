// The device login's endpoints: first the program's, then the person's.
import { route } from '../../platform/http/route.ts'
import { ok } from '../../platform/http/shapes.ts'
import { approveDeviceLogin, denyDeviceLogin, getDeviceLogin } from './decision.ts'
import { collectDeviceKey, startDeviceLogin } from './device-login.ts'
import { DeviceKey, DeviceRequest, DeviceStarted, DeviceToken, StartDevice } from './schema.ts'

export const deviceRoutes = [
  route('auth.device.start', 'POST /auth/device', {
    summary: 'Ask for an API key that a person approves in a browser.',
    detail:
      'For programs without a browser of their own. Show the person `verificationUrl` and `userCode`, then call `/auth/device/token` every `interval` seconds until `expiresAt`, ten minutes later.',
    access: 'none',
    rate: 'auth',
    body: StartDevice,
    carriesSecret: true,
    reply: { 200: DeviceStarted },
    errors: ['too_many_attempts'],
    handle: ({ app, body, request }) => startDeviceLogin(app, request, body),
  }),

  route('auth.device.token', 'POST /auth/device/token', {
    summary: 'Collect the API key once the person has approved.',
    detail:
      'Answers with the key once. `authorization_pending` and `slow_down` carry the `interval` to wait; the other refusals are final.',
    access: 'none',
    // A code of 256 bits is not guessed, and polling by two programs in one house is no attack: the interval bounds it.
    rate: 'global',
    audit: true,
    body: DeviceToken,
    carriesSecret: true,
    reply: { 200: DeviceKey },
    errors: ['authorization_pending', 'slow_down', 'access_denied', 'expired', 'limit_reached'],
    handle: ({ app, body, request }) => collectDeviceKey(app, request, body.deviceCode),
  }),

  route('auth.device.get', 'GET /auth/device/{userCode}', {
    summary: 'Show what a program asks for, and where it asks from.',
    detail: 'Case and dashes of the code do not matter.',
    access: 'session',
    rate: 'auth',
    reply: { 200: DeviceRequest },
    errors: ['too_many_attempts'],
    handle: ({ app, actor, params }) => getDeviceLogin(app, actor, params.userCode ?? ''),
  }),

  route('auth.device.approve', 'POST /auth/device/{userCode}/approve', {
    summary: 'Let the program have a key for your active organisation.',
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
    summary: 'Refuse the program, or take back an approval that it has not used.',
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
