// Turns automatic top-up off. Callers hold `lockOrg`.
import { type AuditActor, record } from '../../audit/audit.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { setTopupThreshold } from '../../wallet/wallet.ts'
import { findTopup, markOff } from './topup-rule-sql.ts'

export type OffCause = { readonly actor: AuditActor; readonly ip: string | null; readonly why: string }

/** An open attempt is still settled. Without an active or paused top-up this changes nothing. */
export async function turnOffTopup(tx: Tx, org: OrgId, { actor, ip, why }: OffCause): Promise<void> {
  const topup = await findTopup(tx, org)
  if (!topup || topup.status === 'off') return
  await markOff(tx, org)
  await setTopupThreshold(tx, org, null)
  await record(tx, {
    ...{ orgId: org, actor, ip, action: 'automaticTopup.off', target: topup.cardId },
    metadata: { why },
  })
}
