// The nodes of a database with Citus: which one owns an organisation's money, and single statements on it.
import type { OrgId } from '../../../kernel/ids.ts'
import { toApiError } from '../errors.ts'
import { type Pool, statementsOn } from '../pool.ts'
import { createSemaphore } from '../semaphore.ts'
import type { MoneyNodes, Sql } from '../tx.ts'

const ORGS_MAX = 100_000
const QUEUE_MAX = 2_000

type Node = { readonly name: string; readonly sql: Sql; readonly pool: Pool }

export type NodesOptions = {
  /** Statements on the coordinator. */
  readonly direct: Sql
  readonly open: (host: string, port: number) => Pool
  /** Connections to each node. */
  readonly max: number
  readonly poolWaitMs: number
}

export type OpenNodes = MoneyNodes & { close(): Promise<void> }

export function openNodes({ direct, open, max, poolWaitMs }: NodesOptions): OpenNodes {
  const nodes = new Map<string, Node>()
  /** A shard of an organisation never changes, unlike the node of a shard. */
  const shards = new Map<OrgId, string>()
  let places: Promise<Map<string, string>> | undefined

  function nodeAt(host: string, port: number): Node {
    const name = `${host}:${port}`
    const pool = open(host, port)
    const slots = createSemaphore(max, poolWaitMs, QUEUE_MAX)
    const sql = statementsOn(async (text, values) => {
      await slots.acquire()
      try {
        return await pool.run(text, values)
      } catch (error) {
        throw toApiError(error, false)
      } finally {
        slots.release()
      }
    })
    return { name, sql, pool }
  }

  /** The node of each shard. */
  async function readPlaces(): Promise<Map<string, string>> {
    const rows = await direct.rows<{ shard: string; host: string; port: number }>`
      select p.shardid::text as shard, n.nodename as host, n.nodeport as port
      from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
        join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      where s.logicalrelid = 'wallets'::regclass`
    for (const { host, port } of rows) {
      const name = `${host}:${port}`
      if (!nodes.has(name)) nodes.set(name, nodeAt(host, port))
    }
    return new Map(rows.map(({ shard, host, port }) => [shard, `${host}:${port}`]))
  }

  function placesNow(): Promise<Map<string, string>> {
    if (places) return places
    const reading = readPlaces()
    places = reading
    reading.catch(() => {
      if (places === reading) places = undefined
    })
    return reading
  }

  async function shardOf(org: OrgId): Promise<string> {
    const known = shards.get(org)
    if (known) return known
    const { shard } = await direct.one<{ shard: string }>`
      select get_shard_id_for_distribution_column('wallets', ${org}::text)::text as shard`
    if (shards.size >= ORGS_MAX) shards.clear()
    shards.set(org, shard)
    return shard
  }

  return {
    async nodeOf(org) {
      const shard = await shardOf(org)
      const node = (await placesNow()).get(shard)
      if (node === undefined) throw new Error(`The shard ${shard} is on no node.`)
      return node
    },
    on(node) {
      const found = nodes.get(node)
      if (!found) throw new Error(`There is no node ${node}.`)
      return found.sql
    },
    forgetPlaces() {
      places = undefined
    },
    async close() {
      await Promise.all([...nodes.values()].map(({ pool }) => pool.end({ timeout: 5 })))
    },
  }
}
