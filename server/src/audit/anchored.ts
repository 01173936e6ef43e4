// What a chain is held against: the note about it, or why there is none.
import type { App } from '../platform/app.ts'
import type { Reach } from '../platform/db/tx.ts'
import { type Anchor, readAnchor } from './anchor.ts'
import { isAnchored } from './anchor-sql.ts'
import type { Anchored } from './verify.ts'

export async function anchored(app: App, reach: Reach, chain: string): Promise<Anchored> {
  const found = await readOrExplain(app, chain)
  if (typeof found === 'object') return { state: 'kept', seq: found.seq, hash: found.hash, at: found.at }
  if (found === 'unreadable') return without('unreadable')
  return without((await app.db.tx(reach, (tx) => isAnchored(tx, chain))) ? 'lost' : 'none')
}

// A storage that is away for a moment must not keep anybody from verifying what is in the database.
async function readOrExplain(app: App, chain: string): Promise<Anchor | 'none' | 'unreadable'> {
  try {
    return await readAnchor(app, chain)
  } catch (error) {
    app.log.warn({ err: error, chain }, 'what was noted down about an audit chain cannot be fetched')
    return 'unreadable'
  }
}

const without = (state: 'none' | 'lost' | 'unreadable'): Anchored => ({
  state,
  seq: null,
  hash: null,
  at: null,
})
