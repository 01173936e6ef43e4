// What the payer has to do next, when that changes on the way.
import { json, type Tx } from '../../platform/db/tx.ts'
import type { HandOff } from '../rails/rail.ts'

export async function replaceHandOff(tx: Tx, reference: string, handOff: HandOff): Promise<void> {
  await tx.rows`
    update payments set hand_off = ${json(handOff)} where reference = ${reference} and status = 'pending'`
}
