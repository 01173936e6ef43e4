// What came of operations that raced must equal what comes of them in some order. The journal says in which order money
// moved; those that moved nothing may stand anywhere between.

import type { Entry, Facts } from '../model/wallet-model.ts'
import type { Lane, Op } from '../org.ts'
import type { PaymentRow, Row } from '../sql.ts'
import { differenceOf } from './journal.ts'

export type Racer = { readonly op: Op; readonly observed: Facts }

/** What the race left behind: what moved, and how the payments in it stand, which no answer tells for sure. */
export type Left = { readonly journal: readonly Row[]; readonly payments: readonly PaymentRow[] }

/** Leaves the model in the state after such an order, or says that there is none. */
export function findOrder(
  lane: Lane,
  racers: readonly Racer[],
  { journal, payments }: Left,
  at: Date,
): boolean {
  const { wallet } = lane
  const begun = wallet.entries.length
  const search = (left: readonly Racer[]): boolean => {
    if (left.length === 0)
      return (
        wallet.entries.length - begun === journal.length && payments.every((row) => isAsModelled(lane, row))
      )
    for (const racer of left) {
      const mark = wallet.mark()
      const length = wallet.entries.length
      const isSame = isExplained(lane.expect(racer.op, at), racer) && follows(length)
      if (isSame && search(left.filter((other) => other !== racer))) return true
      wallet.rollBack(mark)
    }
    return false
  }
  const follows = (from: number): boolean =>
    wallet.entries.slice(from).every((entry: Entry, i) => {
      const row = journal[from - begun + i]
      return row !== undefined && differenceOf(lane, entry, row) === null
    })
  return search(racers)
}

/** Takes the order of work that says nothing about itself from the journal alone, as of a sweep. */
export function adoptOrder(
  lane: Lane,
  ops: ReadonlyMap<string, Op>,
  journal: readonly Row[],
  at: Date,
): string | null {
  const { wallet } = lane
  const left = new Map(ops)
  const begun = wallet.entries.length
  for (const row of journal) {
    const op = left.get(row.ref)
    if (!op) return `movement ${row.seq} (${row.kind} ${row.ref}) was not due`
    left.delete(row.ref)
    lane.expect(op, at)
    const entry = wallet.entries[Number(row.seq) - 1]
    const difference = entry
      ? differenceOf(lane, entry, row)
      : `movement ${row.seq} (${row.kind} ${row.ref}) moved money`
    if (difference) return difference
  }
  for (const op of left.values()) lane.expect(op, at)
  const more = wallet.entries.length - begun - journal.length
  return more === 0 ? null : `${more} movements are missing`
}

/**
 * Operations that travel together are judged by one look at caps and earlier holds, and their answers tell the balances
 * of their turn. A reserve that moved nothing may therefore tell balances that are newer than its verdict.
 */
function isExplained(expected: Facts, { op, observed }: Racer): boolean {
  if (op.kind !== 'reserve' || observed.isNew === true) return isEqual(expected, observed)
  return isEqual(verdictOf(expected), verdictOf(observed))
}

const verdictOf = ({ balance: _, held: __, plan: ___, ...verdict }: Facts): Facts => verdict

/** Whether a payment stands in the database as it does in the model. */
export const isAsModelled = (lane: Lane, { reference, ...found }: PaymentRow): boolean =>
  isEqual(lane.payments.row(reference), found)

export function isEqual(a: Facts, b: Facts): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key])
}
