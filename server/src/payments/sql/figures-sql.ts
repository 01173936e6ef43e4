// What waits for a decision of staff. Needs the reach of the platform.
import type { Tx } from '../../platform/db/tx.ts'

export async function countInReview(tx: Tx): Promise<bigint> {
  const { n } = await tx.one<{ n: bigint }>`select count(*) as n from payments where status = 'review'`
  return n
}
