// The job that appends the heads of changed chains to the log every five minutes.
import { present } from '../kernel/assert.ts'
import type { App } from '../platform/app.ts'
import type { ChainHead, ChainKind, ChainSource } from '../platform/chains.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type JobKind, job, type Schedule } from '../platform/jobs/jobs.ts'
import { logIdentity } from './checkpoint.ts'
import { deriveName, leafText } from './leaf.ts'
import * as sql from './sql.ts'
import { leafHash } from './tree/hashes.ts'
import { growTiles, tilesFor } from './tree/tiles.ts'

const PUBLISH = 'transparency.publish'
const EVERY_SECONDS = 300
const ENTRIES_MAX = 10_000
const PAGE_CHAINS = 1_000

export const transparencyJobs: readonly JobKind[] = [
  job(PUBLISH, {
    timeoutMs: (EVERY_SECONDS - 30) * 1000,
    run: (app, { signal }) => publishHeads(app, signal),
  }),
]

export const transparencySchedules: readonly Schedule[] = [
  { name: PUBLISH, job: PUBLISH, everySeconds: EVERY_SECONDS },
]

/** Appends up to 10 000 heads. The next run continues after the last one. */
export async function publishHeads(app: App, signal: AbortSignal): Promise<void> {
  if (logIdentity(app) === null) return
  for (let published = 0; published < ENTRIES_MAX; ) {
    signal.throwIfAborted()
    const page = await app.db.tx('platform', (tx) => publishPage(app, tx))
    published += page.published
    if (page.isLast) return
  }
  app.log.warn({ chains: ENTRIES_MAX }, 'transparency.log.backlog')
}

/** Locks the log first, so that heads are read after those of the previous append. */
async function publishPage(app: App, tx: Tx): Promise<{ published: number; isLast: boolean }> {
  const { size, nextAfter } = await sql.lockLog(tx)
  const [kind = '', after = ''] = nextAfter.split(' ')
  const at = Math.max(
    app.chains.findIndex((source) => source.kind === kind),
    0,
  )
  const source = present(app.chains[at], 'modules keep chains')
  const heads = await source.headsAfter(tx, after, PAGE_CHAINS)
  const published = await appendChanged(app, tx, source, heads, size)
  const next = heads.length < PAGE_CHAINS ? app.chains[at + 1]?.kind : source.kind
  const last = heads.length < PAGE_CHAINS ? '' : heads.at(-1)?.chain
  await sql.saveLog(tx, { size: size + published, nextAfter: next ? `${next} ${last}` : '' })
  return { published, isLast: !next }
}

async function appendChanged(
  app: App,
  tx: Tx,
  { kind }: ChainSource,
  heads: readonly ChainHead[],
  size: number,
): Promise<number> {
  const logged = await sql.readChains(
    tx,
    kind,
    heads.map(({ chain }) => chain),
  )
  const changed = heads.filter(({ chain, seq, hash }) => {
    const known = logged.get(chain)
    return seq > 0n && (known?.seq !== seq || known.hash !== hash)
  })
  if (changed.length === 0) return 0
  reportRewound(app, kind, changed, logged)
  const chains = changed.map((head, n) => {
    const name = logged.get(head.chain)?.name ?? deriveName(app, kind, head.chain)
    return { ...head, name, entry: size + n }
  })
  const leaves = chains.map((chain) => leafText({ ...chain, kind, at: tx.now }))
  const last = await sql.readTiles(tx, tilesFor(size, null))
  await sql.insertEntries(tx, size, leaves)
  await sql.saveTiles(tx, growTiles(size, last, leaves.map(leafHash)))
  await sql.saveChains(tx, kind, chains)
  return chains.length
}

/** A chain never becomes shorter, and its postings never change. */
function reportRewound(
  app: App,
  kind: ChainKind,
  heads: readonly ChainHead[],
  logged: ReadonlyMap<string, ChainHead>,
): void {
  const rewound = heads.flatMap(({ chain, seq }) => (seq <= (logged.get(chain)?.seq ?? 0n) ? [chain] : []))
  if (rewound.length > 0)
    app.log.error({ kind, chains: rewound.slice(0, 20), count: rewound.length }, 'transparency.chain.rewound')
}
