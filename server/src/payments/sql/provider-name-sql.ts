// What providers call our payments: one name, one payment.
import type { Tx } from '../../platform/db/tx.ts'
import type { Payment } from './settle-sql.ts'

/**
 * Gives a payment the name that its provider has for it, unless it has one, or another payment has that. Says whether
 * it did. Needs the reach of the platform.
 */
export async function claimProviderRef(
  tx: Tx,
  { reference, rail, mode }: Payment,
  providerRef: string,
): Promise<boolean> {
  await tx.lock(`name of payment ${rail} ${mode} ${providerRef}`)
  const named = await tx.maybe`
    update payments set provider_ref = ${providerRef}
    where reference = ${reference} and provider_ref is null and not exists (
      select 1 from payments other
      where other.rail = ${rail} and other.mode = ${mode} and other.provider_ref = ${providerRef})
    returning reference`
  return named !== undefined
}
