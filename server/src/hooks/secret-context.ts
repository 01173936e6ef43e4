// Where a sealed secret belongs: it opens for its own endpoint and for no other.
import type { EndpointId } from './endpoints/endpoints-sql.ts'

export const secretContext = (id: EndpointId): string => `hooks endpoint ${id} secret`
