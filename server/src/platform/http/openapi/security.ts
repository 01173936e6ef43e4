// Access rules as OpenAPI security requirements, and as text for people.
import type { Access, Route } from '../route.ts'

export function securityOf({ access, path }: Pick<Route, 'access' | 'path'>): Record<string, string[]>[] {
  if (access === 'none') return []
  if (typeof access === 'object' && 'scope' in access)
    return [
      { session: [] },
      ...keySchemesOf(path).map((scheme) => ({ [scheme]: [access.scope] })),
      { devBearer: [] },
    ]
  if (typeof access === 'object' && 'token' in access) return [{ scimToken: [] }]
  const person = [{ session: [] }, { devBearer: [] }]
  if (access === 'session') return person
  if (access === 'any' || access === 'known') return [{ session: [] }, { apiKey: [] }, { devBearer: [] }]
  if ('scopeOrStaff' in access) return [{ session: [] }, { apiKey: [access.scopeOrStaff] }, { devBearer: [] }]
  if ('rail' in access) return [{ signature: [] }]
  if ('machine' in access)
    return access.machine === 'internal' ? [{ internalSecret: [] }] : [{ metricsToken: [] }, ...person]
  return person
}

/** Clients of other services send their API key as those services expect it. */
function keySchemesOf(path: string): readonly string[] {
  if (path.startsWith('/v1beta/')) return ['apiKey', 'apiKeyHeader', 'googleKeyHeader', 'googleKeyQuery']
  return path.startsWith('/v1/') ? ['apiKey', 'apiKeyHeader', 'googleKeyHeader'] : ['apiKey']
}

export function accessText(access: Access): string {
  if (typeof access === 'string') return access
  if ('scope' in access) return `scope ${access.scope}`
  if ('scopeOrStaff' in access) return `scope ${access.scopeOrStaff}, or staff`
  if ('roleOrStaff' in access) return `${access.roleOrStaff} of the organisation, or staff`
  if ('role' in access) return access.role === 'owner' ? 'owner' : `${access.role} or above`
  if ('staff' in access)
    return access.staff === 'any' ? 'any staff tier' : `staff: ${access.staff.join(', ')}`
  if ('token' in access) return 'SCIM token of the organisation'
  if ('machine' in access)
    return access.machine === 'internal' ? 'internal secret' : 'metrics token, else staff'
  return `signed by ${access.rail}`
}

export const SECURITY_SCHEMES = {
  session: { type: 'apiKey', in: 'cookie', name: 'service_session', description: 'A signed-in browser.' },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'csk_…',
    description: 'An API key with the scope named.',
  },
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same key.' },
  googleKeyHeader: { type: 'apiKey', in: 'header', name: 'x-goog-api-key', description: 'The same key.' },
  googleKeyQuery: { type: 'apiKey', in: 'query', name: 'key', description: 'The same key.' },
  devBearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'usr_…',
    description: 'A user id; only where SERVICE_DEV_AUTH is on.',
  },
  internalSecret: { type: 'apiKey', in: 'header', name: 'x-internal-secret' },
  metricsToken: { type: 'http', scheme: 'bearer', bearerFormat: 'METRICS_TOKEN' },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'x-paystack-signature',
    description:
      'How the card provider signs. Others show a token in the address, or sign in their own way; see the operation.',
  },
}
