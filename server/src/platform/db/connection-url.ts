// Where the database is: a URL as libpq reads it, with one or several hosts, or with a unix socket in a folder.
import { userInfo } from 'node:os'

export type Host = { readonly host: string; readonly port: number }

export type ConnectionUrl = {
  readonly hosts: readonly Host[]
  readonly user: string
  readonly password: string
  readonly database: string
  /** Everything behind the question mark that does not say where to connect to. */
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
  const elsewhere = parameters.get('host')
  parameters.delete('host')
  return {
    hosts: elsewhere ? parseHosts(elsewhere, named[0]?.port ?? PORT) : named,
    user,
    password: decodeURIComponent(secret.join(':')) || PGPASSWORD || '',
    database: decodeURIComponent(path) || PGDATABASE || user,
    parameters,
  }
}

/** `one:5432,two` or `[::1]:5432`; a folder has no port of its own. */
function parseHosts(list: string, usualPort: number): Host[] {
  // The name of a folder may have a comma in it.
  if (list.startsWith('/')) return [{ host: list, port: usualPort }]
  return list.split(',').map((each) => {
    const [, host = each, port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(each) ?? []
    return { host, port: Number(port ?? usualPort) }
  })
}

/** The same server, another database. A URL may name none, and several hosts. */
export function withDatabase(url: string, database: string): string {
  const { server, query } = splitUrl(url)
  return `${server}/${database}${query}`
}

/** The name as it stands in the URL; empty where it names none. */
export const databaseNameIn = (url: string): string => splitUrl(url).database

function splitUrl(url: string): { server: string; database: string; query: string } {
  const [, server = url, database = '', query = ''] =
    /^(\w+:\/\/[^/?]*)(?:\/([^?]*))?(\?.*)?$/s.exec(url) ?? []
  return { server, database, query }
}
