// Connections of organisations to their identity providers.
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import { sealedColumn } from '../platform/sealed-data.ts'
import type { ConnectionId, IdpConnection } from './sql.ts'
import * as sql from './sql.ts'

/** The connection of an organisation, even if it is disabled. */
export async function findConnectionByOrg(app: App, orgId: OrgId): Promise<IdpConnection | null> {
  const row = await sql.findConnectionByOrg(app.db.direct, orgId)
  return row ? toConnection(app, row) : null
}

export async function findConnectionById(app: App, id: ConnectionId): Promise<IdpConnection | null> {
  const row = await sql.findConnectionById(app.db.direct, id)
  return row ? toConnection(app, row) : null
}

/** The connection for an email domain. The lookup uses only the domain, so it reveals nothing about users. */
export async function findConnectionByDomain(app: App, domain: string): Promise<IdpConnection | null> {
  const row = await sql.findConnectionByDomain(app.db.direct, domain)
  return row ? toConnection(app, row) : null
}

/** Binds a sealed secret to one connection. */
export const secretContext = (id: ConnectionId): string => `sso client secret ${id}`

export const sealedClientSecrets = sealedColumn({
  name: 'sso_connections.client_secret',
  list: sql.listClientSecrets,
  replace: sql.replaceClientSecrets,
  contextOf: (id) => secretContext(id as ConnectionId),
})

const toConnection = (app: App, { sealedSecret, ...row }: sql.ConnectionRow): IdpConnection => ({
  ...row,
  clientSecret: sealedSecret === null ? null : app.secrets.open(sealedSecret, secretContext(row.id)),
})
