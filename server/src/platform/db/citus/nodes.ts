// The nodes of a database with Citus: which one owns an organisation's money, and single statements on it.
import type { OrgId } from '../../../kernel/ids.ts'
import { isConnectionError, isShardElsewhere, toApiError } from '../errors.ts'
import { type Pool, type RunStatement, statementsOn } from '../pool.ts'
import { createSemaphore } from '../semaphore.ts'
import type { MoneyShards, Sql } from '../tx.ts'

const ORGS_MAX = 100_000
const QUEUE_MAX = 2_000

type Node = { readonly onShard: (shard: string) => Sql; readonly pool: Pool }

export type NodesOptions = {
  /** Statements on the coordinator. */
  readonly direct: Sql
  readonly open: (host: string, port: number) => Pool
  /** Connections to each node. */
  readonly max: number
  readonly poolWaitMs: number
}

export type OpenNodes = MoneyShards & { close(): Promise<void> }

export function openNodes({ direct, open, max, poolWaitMs }: NodesOptions): OpenNodes {
  const nodes = new Map<string, Node>()
  /** A shard of an organisation never changes, unlike the node of a shard. */
  const shards = new Map<OrgId, string>()
  let places: Promise<Map<string, string>> | undefined

  function nodeAt(host: string, port: number): Node {
    const pool = open(host, port)
    const slots = createSemaphore(max, poolWaitMs, QUEUE_MAX)
    const run: RunStatement = async (text, values) => {
      await slots.acquire()
      try {
        return await pool.run(text, values)
      } catch (error) {
        // After a failover, the node may have another address.
        if (isConnectionError(error)) places = undefined
        throw isShardElsewhere(error) ? error : toApiError(error, false)
      } finally {
        slots.release()
      }
    }
    const byShard = new Map<string, Sql>()
    return {
      pool,
      onShard(shard) {
        const sql = byShard.get(shard) ?? namingShard(shard, run)
        byShard.set(shard, sql)
        return sql
      },
    }
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
    shardOf,
    async on(shard) {
      const node = nodes.get((await placesNow()).get(shard) ?? '')
      if (!node) throw new Error(`The shard ${shard} is on no node.`)
      return node.onShard(shard)
    },
    forgetNodes() {
      places = undefined
    },
    async close() {
      await Promise.all([...nodes.values()].map(({ pool }) => pool.end({ timeout: 5 })))
    },
  }
}

/** Statements that name the function of a shard. The text of each statement is made once. */
function namingShard(shard: string, run: RunStatement): Sql {
  const texts = new WeakMap<TemplateStringsArray, TemplateStringsArray>()
  const textFor = (text: TemplateStringsArray): TemplateStringsArray => {
    const named = text.map((part) => part.replaceAll('wallet_apply_ops', `wallet_apply_ops_${shard}`))
    const made = Object.assign(named, { raw: named })
    texts.set(text, made)
    return made
  }
  return statementsOn((text, values) => run(texts.get(text) ?? textFor(text), values))
}
