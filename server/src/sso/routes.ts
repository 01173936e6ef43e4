// Single sign-on: the endpoints.
import type { Route } from '../platform/http/route.ts'

export const ssoRoutes: readonly Route[] = []
