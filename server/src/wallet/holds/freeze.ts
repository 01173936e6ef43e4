// Freezes money of a payment that is disputed or being refunded: a hold that no work spends. The decision of the provider
// releases it.
import { assert } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { applyOp } from '../ledger/apply-ops.ts'
import type { HoldId } from './holds.ts'

/** Longer than any dispute. */
const FROZEN_FOR = { days: 3_650 }

export type FreezeResult = { readonly holdId: HoldId | null; readonly frozenMinor: bigint }

/**
 * Freezes the free part of the balance, up to `amountMinor` and at least `leastMinor`, by default anything. A second call with
 * the same `ref` returns the same freeze.
 */
export async function freeze(
  app: App,
  tx: Tx,
  {
    orgId,
    ref,
    amountMinor,
    leastMinor = 1n,
  }: { orgId: OrgId; ref: string; amountMinor: bigint; leastMinor?: bigint },
): Promise<FreezeResult> {
  assert(amountMinor > 0n, 'a frozen amount must be positive')
  const result = await applyOp(app, tx, {
    kind: 'reserve',
    org: orgId,
    mid: newId('led'),
    id: newId('hld'),
    ref,
    usr: null,
    source: 'topup',
    amount: amountMinor,
    least: leastMinor,
    terms: {},
    deadline: after(tx.now, FROZEN_FOR),
  })
  if (result.verdict !== 'held') return { holdId: null, frozenMinor: 0n }
  return { holdId: result.holdId as HoldId, frozenMinor: result.amountMinor ?? 0n }
}
