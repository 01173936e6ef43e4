// Rate windows in Redis, for deployments with REDIS_URL. One server or a failover pair. A cluster is not supported,
// because a batch has keys of several slots.
import { Redis } from 'ioredis'
import { assert } from '../../../../kernel/assert.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Lease, LeaseStore } from '../lease-store.ts'

const PREFIX = 'cowrie:rate:'
const CONNECT_TIMEOUT_MS = 2_000
const COMMAND_TIMEOUT_MS = 1_000
const RECONNECT_MAX_MS = 2_000

/**
 * The same arithmetic as the statement in sql.ts, with `now` of our clock. Redis' clock only expires keys, a minute
 * after their window, so that a clock difference never starts a window early.
 */
const TAKE = `
local now, leases = tonumber(ARGV[1]), {}
for i, key in ipairs(KEYS) do
  local want, requests, window = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  local held = redis.call('HMGET', key, 'used', 'resets')
  local used, resets = tonumber(held[1]), tonumber(held[2])
  if not used or not resets or resets <= now then used, resets = 0, now + window end
  resets = math.min(resets, now + window)
  local granted = math.max(0, math.min(want, requests - used))
  used = used + granted
  redis.call('HSET', key, 'used', used, 'resets', resets)
  redis.call('PEXPIRE', key, resets - now + 60000)
  leases[3 * i - 2], leases[3 * i - 1], leases[3 * i] = granted, used, resets
end
return leases`

export function createRedisStore(url: string, clock: Clock): LeaseStore {
  const redis = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    // A lease request that was in flight during a disconnect is lost rather than sent twice.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_MAX_MS),
  })
  // The limiter reports failed takes. Without a listener the client would also print the error.
  redis.on('error', () => undefined)

  return {
    async take(requests) {
      const keys = requests.map(({ bucket, address }) => `${PREFIX}${bucket}:${address}`)
      const numbers = requests.flatMap(({ want, limit }) => [want, limit.requests, limit.seconds * 1000])
      const reply = await redis.eval(TAKE, keys.length, ...keys, clock.now().getTime(), ...numbers)
      assert(
        isNumbers(reply) && reply.length === 3 * requests.length,
        'the script answers three numbers per request',
      )
      return requests.map((_, i) => lease(reply.slice(3 * i, 3 * i + 3)))
    },
    async close() {
      // QUIT would wait for a server that may be unavailable.
      redis.disconnect()
    },
  }
}

const isNumbers = (reply: unknown): reply is number[] =>
  Array.isArray(reply) && reply.every((value) => typeof value === 'number')

function lease([granted = 0, used = 0, resetsAtMs = 0]: number[]): Lease {
  return { granted, used, resetsAtMs }
}
