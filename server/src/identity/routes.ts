// Endpoints of identity, in the order a client calls them.
import { ApiError } from '../kernel/errors.ts'
import { route } from '../platform/http/route.ts'
import { ok, signedIn } from '../platform/http/shapes.ts'
import {
  defaultLayout,
  defaultMode,
  defaultSkin,
  signupsEnabled,
} from '../platform/settings/platform-settings.ts'
import { devLogin, logout } from './identity.ts'
import { keyRoutes } from './keys/key-routes.ts'
import { orgRoutes } from './orgs/org-routes.ts'
import { AuthConfig, DevLogin } from './schema.ts'
import { sessionRoutes } from './sessions/session-routes.ts'

const SIGN_IN_METHODS = ['password', 'magic_link', 'totp', 'oidc', 'saml'] as const

export const identityRoutes = [
  route('auth.config', 'GET /auth/config', {
    summary: 'Get the sign-in methods and the default appearance of the app.',
    access: 'none',
    rate: null,
    reply: { 200: AuthConfig },
    handle: ({ app }) => ({
      mode: 'native' as const,
      methods: [
        ...SIGN_IN_METHODS,
        ...(app.config.githubLogin ? (['github'] as const) : []),
        ...(app.config.devAuth ? (['dev'] as const) : []),
      ],
      signupsEnabled: app.settings.get(signupsEnabled),
      passwordMinLength: 8 as const,
      appearance: {
        skin: app.settings.get(defaultSkin),
        mode: app.settings.get(defaultMode),
        layout: app.settings.get(defaultLayout),
      },
    }),
  }),

  route('auth.devLogin', 'POST /auth/dev-login', {
    summary: 'Sign in by email address alone. Development only.',
    access: 'none',
    rate: 'auth',
    audit: true,
    duringMaintenance: 'Staff sign in here.',
    body: DevLogin,
    reply: { 200: signedIn },
    errors: ['not_found'],
    handle: async ({ app, body, request }) => {
      if (!app.config.devAuth) throw new ApiError('not_found')
      return { ok: true as const, ...(await devLogin(app, body.email, request)) }
    },
  }),

  route('auth.logout', 'POST /auth/logout', {
    summary: 'End the current session immediately.',
    access: 'session',
    rate: 'global',
    audit: true,
    duringMaintenance: 'Ending a session protects its owner.',
    reply: { 200: ok },
    handle: async ({ app, actor, request }) => {
      await logout(app, actor, request)
      return { ok: true as const }
    },
  }),

  ...sessionRoutes,
  ...orgRoutes,
  ...keyRoutes,
]
