// Endpoints of sign-in.
import type { Route } from '../platform/http/route.ts'
import { deviceRoutes } from './device/routes.ts'
import { emailChangeRoutes } from './email-change/routes.ts'
import { githubRoutes } from './github/routes.ts'
import { magicRoutes } from './link/routes.ts'
import { passkeyRoutes } from './passkey/routes.ts'
import { passwordRoutes } from './password/routes.ts'
import { mfaRoutes } from './second-factor/routes.ts'

export const signInRoutes: readonly Route[] = [
  ...passwordRoutes,
  ...magicRoutes,
  ...mfaRoutes,
  ...passkeyRoutes,
  ...deviceRoutes,
  ...githubRoutes,
  ...emailChangeRoutes,
]
