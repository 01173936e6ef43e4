// Where the database is. A URL with `?host=/folder` means a unix socket in that folder, as in libpq.

type Overrides = { host?: string; port?: number; prepare?: boolean }

/** What the driver takes: a URL it understands (also with several hosts) and what the URL cannot say to it. */
export function connectionOptions(url: string): [url: string, overrides: Overrides] {
  const [address = '', query = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  const socketFolder = parameters.get('host')
  const overrides: Overrides = {}
  if (socketFolder?.startsWith('/')) {
    overrides.host = socketFolder
    overrides.port = Number(/:(\d+)(?:\/[^/]*)?$/.exec(address)?.[1] ?? 5432)
    parameters.delete('host')
  }
  // PgBouncer in transaction mode does not keep prepared statements.
  if (parameters.get('prepare') === 'false') overrides.prepare = false
  parameters.delete('prepare')
  return [parameters.size > 0 ? `${address}?${parameters}` : address, overrides]
}

/** The same server, another database. A URL may name none, and several hosts. */
export function withDatabase(url: string, database: string): string {
  const { server, query } = partsOf(url)
  return `${server}/${database}${query}`
}

/** The name as it stands in the URL; empty where it names none. */
export const databaseIn = (url: string): string => partsOf(url).database

function partsOf(url: string): { server: string; database: string; query: string } {
  const [, server = url, database = '', query = ''] =
    /^(\w+:\/\/[^/?]*)(?:\/([^?]*))?(\?.*)?$/s.exec(url) ?? []
  return { server, database, query }
}
