// Gateway: the endpoints.
import type { Route } from '../platform/http/route.ts'

export const gatewayRoutes: Route[] = []
