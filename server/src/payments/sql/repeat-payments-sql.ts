// The statement of further payments under one reference.
import type { Tx } from '../../platform/db/tx.ts'
import type { Payment } from './settle-sql.ts'

/** Copies who paid and how. Nobody is asked about it: what the provider says of it comes with the first payment. */
export async function insertRepeat(
  tx: Tx,
  first: Payment,
  { reference, amountMinor }: Pick<Payment, 'reference' | 'amountMinor'>,
): Promise<boolean> {
  const inserted = await tx.maybe`
    insert into payments (reference, org_id, user_id, purpose, channel, rail, account, mode, currency, amount_minor, email,
                          repeat_of, created_at, expires_at)
    values (${reference}, ${first.orgId}, ${first.userId}, 'topup', ${first.channel}, ${first.rail}, ${first.account},
            ${first.mode}, ${first.currency}, ${amountMinor}, ${first.email}, ${first.reference}, ${tx.now}, ${tx.now})
    on conflict (reference) do nothing
    returning reference`
  return inserted !== undefined
}
