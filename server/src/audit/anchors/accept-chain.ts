// Taking a chain as it is: after the database was restored from a backup, chains are shorter than what was noted about them.
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
 * The chain itself says who took it so, why, and what was noted before; that entry is its new end and is noted. Where the
 * note cannot be written the earlier one goes on contradicting: it is asked for again.
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
    const end = present(await findHead(tx, chain), 'the end of a chain on which something was recorded')
    await saveAnchorRows(tx, [end])
    return end
  })
  await writeAnchor(app, { ...head, at: app.clock.now() })
  return { ok: true as const, seq: head.seq, hash: head.hash }
}

function parseOrg(orgId: string | null): OrgId | null {
  if (orgId === null || isId('org', orgId)) return orgId
  throw noSuchOrg()
}
