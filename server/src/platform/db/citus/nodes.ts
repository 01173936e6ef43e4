// The nodes of a database with Citus: which one owns an organisation's money, and single statements on it.
import type { OrgId } from '../../../kernel/ids.ts'
import { isConnectionError, isShardElsewhere, toApiError } from '../errors.ts'
import { setTenantScope } from '../placement/placement-sql.ts'
import { type Pool, statementsOn } from '../pool.ts'
import { createSemaphore } from '../semaphore.ts'
import type { MoneyShards, Sql } from '../tx.ts'
import { onShard, type ShardGroup } from './shard-functions.ts'

const ORGS_MAX = 100_000
const QUEUE_MAX = 2_000

type Node = {
  readonly pool: Pool
  statementsOn(shard: string, namer: Namer): Sql
  read<T>(shard: string, namer: Namer, work: (sql: Sql) => Promise<T>, timeoutMs?: number): Promise<T>
}
/** The text of a statement with the names of a shard. */
type Namer = (text: TemplateStringsArray) => TemplateStringsArray
/** Where a shard is, and the shards that are stored with it. */
type Place = { readonly node: string; readonly group: ShardGroup }

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
  let places: Promise<Map<string, Place>> | undefined
  /** The shards that are stored together never change. */
  const namers = new Map<string, Namer>()

  function namerOf(shard: string, group: ShardGroup) {
    const namer = namers.get(shard) ?? namingShard(group)
    namers.set(shard, namer)
    return namer
  }

  function nodeAt(host: string, port: number): Node {
    const pool = open(host, port)
    const slots = createSemaphore(max, poolWaitMs, QUEUE_MAX)
    async function withSlot<T>(run: () => Promise<T>): Promise<T> {
      await slots.acquire()
      try {
        return await run()
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
      statementsOn(shard, namer) {
        const made = () => statementsOn((text, values) => withSlot(() => pool.run(namer(text), values)))
        const sql = byShard.get(shard) ?? made()
        byShard.set(shard, sql)
        return sql
      },
      read: (shard, namer, work, timeoutMs) =>
        withSlot(() =>
          pool.begin(
            async (tx) => {
              await tx.rows`select citus_require_shard(${shard}::bigint)`
              return work(statementsOn((text, values) => tx.rows(namer(text), ...values)))
            },
            {
              mode: 'read only',
              prelude: async (tx) => {
                await Promise.all([
                  setTenantScope(tx, 'platform'),
                  timeoutMs && tx.rows`select set_config('statement_timeout', ${String(timeoutMs)}, true)`,
                ])
              },
            },
          ),
        ),
    }
  }

  /** The place of each shard of the wallets. */
  async function readPlaces(): Promise<Map<string, Place>> {
    const rows = await direct.rows<{ shard: string; host: string; port: number; group: ShardGroup }>`
      select s.shardid::text as shard, n.nodename as host, n.nodeport as port,
             (select json_object_agg(same.logicalrelid::text, same.shardid::text) from pg_dist_shard same
              join pg_dist_partition t on t.logicalrelid = same.logicalrelid
              where t.colocationid = w.colocationid and same.shardminvalue = s.shardminvalue) as group
      from pg_dist_shard s join pg_dist_partition w on w.logicalrelid = s.logicalrelid
        join pg_dist_placement p on p.shardid = s.shardid
        join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      where s.logicalrelid = 'wallets'::regclass`
    for (const { host, port } of rows) {
      const name = `${host}:${port}`
      if (!nodes.has(name)) nodes.set(name, nodeAt(host, port))
    }
    return new Map(rows.map(({ shard, host, port, group }) => [shard, { node: `${host}:${port}`, group }]))
  }

  function placesNow(): Promise<Map<string, Place>> {
    if (places) return places
    const reading = readPlaces()
    places = reading
    reading.catch(() => {
      if (places === reading) places = undefined
    })
    return reading
  }

  async function placeOf(shard: string): Promise<{ node: Node; namer: Namer }> {
    const place = (await placesNow()).get(shard)
    const node = place && nodes.get(place.node)
    if (!node) throw new Error(`The shard ${shard} is on no node.`)
    return { node, namer: namerOf(shard, place.group) }
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
      const { node, namer } = await placeOf(shard)
      return node.statementsOn(shard, namer)
    },
    list: async () => [...(await placesNow()).keys()],
    async read(shard, work, timeoutMs) {
      const { node, namer } = await placeOf(shard)
      return node.read(shard, namer, work, timeoutMs)
    },
    forgetNodes() {
      places = undefined
    },
    async close() {
      await Promise.all([...nodes.values()].map(({ pool }) => pool.end({ timeout: 5 })))
    },
  }
}

/** The text of each statement is made once. */
function namingShard(group: ShardGroup): Namer {
  const texts = new WeakMap<TemplateStringsArray, TemplateStringsArray>()
  return (text) => {
    const known = texts.get(text)
    if (known) return known
    const named = text.map((part) => onShard(part, group))
    const made = Object.assign(named, { raw: named })
    texts.set(text, made)
    return made
  }
}
