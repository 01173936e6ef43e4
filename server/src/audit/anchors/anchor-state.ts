// Reads the evidence that a chain is verified against: its anchor, or why there is none, and its anchor row.
import type { App } from '../../platform/app.ts'
import type { TenantScope } from '../../platform/db/tx.ts'
import type { AnchorState, ChainEvidence } from '../verify/verify.ts'
import { type Anchor, readAnchor } from './anchor-store.ts'
import { findAnchorRow } from './anchors-sql.ts'

export async function readChainEvidence(app: App, scope: TenantScope, chain: string): Promise<ChainEvidence> {
  const found = await readOrExplain(app, chain)
  const anchorRow = await app.db.tx(scope, (tx) => findAnchorRow(tx, chain))
  return { anchor: toAnchorState(found, anchorRow !== null), anchorRow }
}

// Unavailable storage must not prevent the verification of the database itself.
async function readOrExplain(app: App, chain: string): Promise<Anchor | 'none' | 'unreadable'> {
  try {
    return await readAnchor(app, chain)
  } catch (error) {
    app.log.warn({ err: error, chain }, 'audit.anchor.read_failed')
    return 'unreadable'
  }
}

function toAnchorState(found: Anchor | 'none' | 'unreadable', hasAnchorRow: boolean): AnchorState {
  if (typeof found === 'object') return { state: 'kept', seq: found.seq, hash: found.hash, at: found.at }
  const state = found === 'none' && hasAnchorRow ? 'lost' : found
  return { state, seq: null, hash: null, at: null }
}
