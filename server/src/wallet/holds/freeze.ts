// Freezing money of a disputed payment: a hold that no work spends. It is released when the dispute is over.
import { assert } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { applyOp, type HoldId } from './holds.ts'

/** Longer than any dispute. */
const FROZEN_FOR = { days: 3_650 }

export type FreezeResult = { readonly holdId: HoldId | null; readonly frozenMinor: bigint }

/** Freezes as much of the amount as is free in the balance. The same `ref` again finds what it froze before. */
export async function freeze(
  app: App,
  tx: Tx,
  { orgId, ref, amountMinor }: { orgId: OrgId; ref: string; amountMinor: bigint },
): Promise<FreezeResult> {
  assert(amountMinor > 0n, 'something is frozen')
  const verdict = await applyOp(app, tx, {
    kind: 'reserve',
    org: orgId,
    mid: newId('led'),
    id: newId('hld'),
    ref,
    usr: null,
    source: 'topup',
    amount: amountMinor,
    least: 1n,
    terms: {},
    deadline: after(tx.now, FROZEN_FOR),
  })
  if (verdict.verdict !== 'held') return { holdId: null, frozenMinor: 0n }
  return { holdId: verdict.holdId as HoldId, frozenMinor: verdict.amountMinor ?? 0n }
}
