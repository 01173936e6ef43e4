// Keep-alive connections to upstreams, limited in number, with one request at a time on each.
import { Pool } from 'undici'

// A stream occupies its connection until it ends. A call without a free connection waits within its own timeouts.
const CONNECTIONS_MAX = 2_048
const KEEP_ALIVE_MS = 30_000
// The catalogue has at most 100 providers. Older pools belong to replaced addresses.
const POOLS_MAX = 128

const pools = new Map<string, Pool>()

/** The shared connection pool of an upstream. */
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
    // `DeadlineTimer` enforces the timeouts.
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
  // Closes in the background, after the calls that still run on it.
  void pool.close()
}
