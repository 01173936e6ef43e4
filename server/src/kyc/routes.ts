// Verification of businesses: the endpoints.
import type { Route } from '../platform/http/route.ts'

export const kycRoutes: readonly Route[] = []
