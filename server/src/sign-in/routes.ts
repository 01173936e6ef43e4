// Ways to sign in: the endpoints.
import type { Route } from '../platform/http/route.ts'

export const signInRoutes: readonly Route[] = []
