// An organisation's connection to its identity provider, as the server uses it.
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { ConnectionId, IdpConnection } from './sql.ts'
import * as sql from './sql.ts'

/** The connection of an organisation, also when it is switched off. */
export async function findConnectionByOrg(app: App, orgId: OrgId): Promise<IdpConnection | null> {
  const row = await sql.findConnectionByOrg(app.db.direct, orgId)
  return row ? toConnection(app, row) : null
}

export async function findConnectionById(app: App, id: ConnectionId): Promise<IdpConnection | null> {
  const row = await sql.findConnectionById(app.db.direct, id)
  return row ? toConnection(app, row) : null
}

/** The connection that an address leads to: by its domain alone, so that it tells nothing about people. */
export async function findConnectionByDomain(app: App, domain: string): Promise<IdpConnection | null> {
  const row = await sql.findConnectionByDomain(app.db.direct, domain)
  return row ? toConnection(app, row) : null
}

/** Where a secret belongs: sealed for one connection, it opens for no other. */
export const secretContext = (id: ConnectionId): string => `sso client secret ${id}`

const toConnection = (app: App, { sealedSecret, ...row }: sql.ConnectionRow): IdpConnection => ({
  ...row,
  clientSecret: sealedSecret === null ? null : app.secrets.open(sealedSecret, secretContext(row.id)),
})
