// Connections to upstreams: kept open between calls, bounded in number, one request at a time on each.
import { Pool } from 'undici'

// A stream occupies a connection for as long as it runs; whoever finds none free waits within its own limits.
const CONNECTIONS_MAX = 2_048
const KEEP_ALIVE_MS = 30_000
// Settings name one upstream, sometimes another for a while. What is beyond this was replaced long ago.
const POOLS_MAX = 16

const pools = new Map<string, Pool>()

/** The connections to the service behind this address. All calls to one service share them. */
export function getPool(baseUrl: string, connectMs: number): Pool {
  const { origin } = new URL(baseUrl)
  const name = `${origin} ${connectMs}`
  const known = pools.get(name)
  if (known) return known
  closeOldest()
  const pool = new Pool(origin, {
    connections: CONNECTIONS_MAX,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: connectMs },
    // Time is kept by whoever makes the call.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  pools.set(name, pool)
  return pool
}

function closeOldest(): void {
  const [oldest] = pools
  if (pools.size < POOLS_MAX || !oldest) return
  const [name, pool] = oldest
  pools.delete(name)
  // Closing waits for the calls that still run on it, and nobody waits for that.
  void pool.close()
}
