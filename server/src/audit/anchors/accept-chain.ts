// Accepts a chain after the database was restored from a backup: the restored chain is shorter than its anchor.
import { present } from '../../kernel/assert.ts'
import { isId, type OrgId } from '../../kernel/ids.ts'
import { orgExists } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import { type Actor, noSuchOrg } from '../../platform/http/actor.ts'
import { record } from '../audit.ts'
import { findHead } from '../verify/verify-sql.ts'
import { readChainEvidence } from './anchor-state.ts'
import { writeAnchor } from './anchor-store.ts'
import { findAnchorRow, saveAnchorRows } from './anchors-sql.ts'

export type Acceptance = { orgId: string | null; reason: string }

/**
 * Appends an entry with the actor, the reason and the old anchor, then anchors that entry. If the new anchor cannot be
 * written, the old one still contradicts the chain, and the call must be repeated.
 */
export async function acceptChain(app: App, actor: Actor, { orgId, reason }: Acceptance, ip: string) {
  const org = parseOrg(orgId)
  const chain = org ?? 'platform'
  const { anchor } = await readChainEvidence(app, 'platform', chain)
  const head = await app.db.tx('platform', async (tx) => {
    if (org !== null && !(await orgExists(tx, org))) throw noSuchOrg()
    const { state, seq, hash } = anchor
    const metadata = { reason, before: { state, seq, hash }, noted: await findAnchorRow(tx, chain) }
    const action = 'audit.anchors.accept'
    await record(tx, { orgId: org, actor, as: 'operator', ip, action, target: chain, metadata })
    const head = present(await findHead(tx, chain), 'a chain with an entry has a head')
    await saveAnchorRows(tx, [head])
    return head
  })
  await writeAnchor(app, { ...head, at: app.clock.now() })
  return { ok: true as const, seq: head.seq, hash: head.hash }
}

function parseOrg(orgId: string | null): OrgId | null {
  if (orgId === null || isId('org', orgId)) return orgId
  throw noSuchOrg()
}
