// Freezes disputed money until the payer's bank decides.
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { freeze, type HoldId, releaseIn } from '../../../wallet/wallet.ts'
import { insertDispute } from '../../disputes/sql.ts'
import type { ProviderReturn } from '../../rails/rail.ts'
import { resolveByKey } from '../../sql/payment-cases.ts'
import { endFrozen, insertFrozen, type PaymentReturn, returnsOf } from '../../sql/payment-returns.ts'
import type { Payment } from '../../sql/payments.ts'

/** Freezes up to the disputed amount and returns the frozen amount. */
export async function createFreeze(
  app: App,
  tx: Tx,
  payment: Payment,
  { key, amountMinor, dueAt }: Pick<ProviderReturn, 'key' | 'amountMinor' | 'dueAt'>,
): Promise<bigint> {
  const { orgId, reference } = payment
  const { holdId, frozenMinor } = await freeze(app, tx, { orgId, ref: `${key} ${reference}`, amountMinor })
  await insertFrozen(tx, payment, { key, amountMinor, holdId })
  await insertDispute(tx, payment, key, dueAt ?? null)
  return frozenMinor
}

/** Releases the hold, so that the money is available again. */
export async function releaseFreeze(
  app: App,
  tx: Tx,
  { orgId }: Payment,
  { holdId }: PaymentReturn,
): Promise<void> {
  if (holdId !== null) await releaseIn(app, tx, { orgId, holdId: holdId as HoldId })
}

export const disputeCaseKey = (reference: string, key: string): string => `dispute ${reference} ${key}`
/** Of a deadline without an answer. */
export const missedCaseKey = (reference: string, key: string): string => `missed ${reference} ${key}`

export async function closeDisputeCases(tx: Tx, reference: string, key: string, note: string): Promise<void> {
  await resolveByKey(tx, disputeCaseKey(reference, key), note)
  await resolveByKey(tx, missedCaseKey(reference, key), note)
}

/** Ends all freezes of a payment. */
export async function endFreezes(app: App, tx: Tx, payment: Payment, state: 'reversed'): Promise<void> {
  const { reference } = payment
  for (const each of await returnsOf(tx, reference)) {
    if (each.state !== 'frozen') continue
    await releaseFreeze(app, tx, payment, each)
    await endFrozen(tx, reference, each, state)
    await closeDisputeCases(tx, reference, each.key, 'The provider reversed the whole payment.')
  }
}
