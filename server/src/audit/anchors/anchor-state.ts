// What a chain is held against: the note about it, or why there is none, and what the database remembers of that note.
import type { App } from '../../platform/app.ts'
import type { TenantScope } from '../../platform/db/tx.ts'
import type { AnchorState, ChainEvidence } from '../verify/verify.ts'
import { type Anchor, readAnchor } from './anchor-store.ts'
import { findAnchorRow } from './anchors-sql.ts'

export async function readChainEvidence(app: App, reach: TenantScope, chain: string): Promise<ChainEvidence> {
  const found = await readOrExplain(app, chain)
  const noted = await app.db.tx(reach, (tx) => findAnchorRow(tx, chain))
  return { anchor: toAnchorState(found, noted !== null), anchorRow: noted }
}

// A storage that is away for a moment must not keep anybody from verifying what is in the database.
async function readOrExplain(app: App, chain: string): Promise<Anchor | 'none' | 'unreadable'> {
  try {
    return await readAnchor(app, chain)
  } catch (error) {
    app.log.warn({ err: error, chain }, 'audit.anchor.read_failed')
    return 'unreadable'
  }
}

function toAnchorState(found: Anchor | 'none' | 'unreadable', isNoted: boolean): AnchorState {
  if (typeof found === 'object') return { state: 'kept', seq: found.seq, hash: found.hash, at: found.at }
  const state = found === 'none' && isNoted ? 'lost' : found
  return { state, seq: null, hash: null, at: null }
}
