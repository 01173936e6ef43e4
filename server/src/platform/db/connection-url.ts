// Parses connection URLs as libpq does: with one or several hosts, or with the folder of a unix socket.
import { userInfo } from 'node:os'

export type Host = { readonly host: string; readonly port: number }

export type ConnectionUrl = {
  readonly hosts: readonly Host[]
  readonly user: string
  readonly password: string
  readonly database: string
  /** Query parameters without `host`. */
  readonly parameters: ReadonlyMap<string, string>
}

const URL_PARTS = /^\w+:\/\/(?:([^/?]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s
const PORT = 5_432

export function parseConnectionUrl(url: string): ConnectionUrl {
  const found = URL_PARTS.exec(url)
  if (!found) throw new Error('A database URL looks like postgres://user:password@host:5432/database.')
  const [, credentials = '', authority = '', path = '', query = ''] = found
  const { PGUSER, PGPASSWORD, PGDATABASE, PGHOST, PGPORT } = process.env
  const [name = '', ...secret] = credentials.split(':')
  const user = decodeURIComponent(name) || PGUSER || userInfo().username
  const parameters = new Map(new URLSearchParams(query))
  const named = parseHosts(decodeURIComponent(authority) || PGHOST || 'localhost', Number(PGPORT ?? PORT))
  const hostParameter = parameters.get('host')
  parameters.delete('host')
  return {
    hosts: hostParameter ? parseHosts(hostParameter, named[0]?.port ?? PORT) : named,
    user,
    password: decodeURIComponent(secret.join(':')) || PGPASSWORD || '',
    database: decodeURIComponent(path) || PGDATABASE || user,
    parameters,
  }
}

/** `one:5432,two` or `[::1]:5432`. A socket folder uses the default port. */
function parseHosts(list: string, defaultPort: number): Host[] {
  // The name of a folder may contain a comma.
  if (list.startsWith('/')) return [{ host: list, port: defaultPort }]
  return list.split(',').map((each) => {
    const [, host = each, port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(each) ?? []
    return { host, port: Number(port ?? defaultPort) }
  })
}

/** The URL of another database on the same server. The given URL may name no database, or several hosts. */
export function withDatabase(url: string, database: string): string {
  const { server, query } = splitUrl(url)
  return `${server}/${database}${query}`
}

/** The URL of the same database on another server. */
export function withHost(url: string, host: string, port: number): string {
  const { user, password, database, parameters } = parseConnectionUrl(url)
  const credentials = [user, ...(password ? [password] : [])].map(encodeURIComponent).join(':')
  const query = new URLSearchParams([...parameters]).toString()
  const name = host.includes(':') ? `[${host}]` : host
  return `postgres://${credentials}@${name}:${port}/${encodeURIComponent(database)}${query && `?${query}`}`
}

/** The database name as written in the URL, still percent-encoded; empty when the URL names none. */
export const databaseNameIn = (url: string): string => splitUrl(url).database

function splitUrl(url: string): { server: string; database: string; query: string } {
  const [, server = url, database = '', query = ''] =
    /^(\w+:\/\/[^/?]*)(?:\/([^?]*))?(\?.*)?$/s.exec(url) ?? []
  return { server, database, query }
}
