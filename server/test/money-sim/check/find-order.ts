// Linearizability check: the results of concurrent operations must equal those of some sequential order. The journal gives
// the order of operations that moved money; the others may be anywhere.

import type { Facts, PostingModel } from '../model/wallet-model.ts'
import type { Op, SimOrg } from '../org.ts'
import type { PaymentRow, PostingRow } from '../sql.ts'
import { differenceOf } from './journal.ts'

export type ObservedOp = { readonly op: Op; readonly observed: Facts }

/** The effects of a race: new postings and the payments involved, whose final state no answer guarantees. */
export type RaceResult = { readonly journal: readonly PostingRow[]; readonly payments: readonly PaymentRow[] }

/** Searches a matching order and leaves the model in its final state. Returns false if there is none. */
export function findOrder(
  org: SimOrg,
  racers: readonly ObservedOp[],
  { journal, payments }: RaceResult,
  at: Date,
): boolean {
  const { wallet } = org
  const begun = wallet.entries.length
  const search = (left: readonly ObservedOp[]): boolean => {
    if (left.length === 0)
      return (
        wallet.entries.length - begun === journal.length && payments.every((row) => isAsModelled(org, row))
      )
    for (const racer of left) {
      const mark = wallet.mark()
      const length = wallet.entries.length
      const isSame = isExplained(org.applyToModel(racer.op, at), racer) && follows(length)
      if (isSame && search(left.filter((other) => other !== racer))) return true
      wallet.rollBack(mark)
    }
    return false
  }
  const follows = (from: number): boolean =>
    wallet.entries.slice(from).every((entry: PostingModel, i) => {
      const row = journal[from - begun + i]
      return row !== undefined && differenceOf(org, entry, row) === null
    })
  return search(racers)
}

/** Applies operations in the order of the journal, for sweeps, which return no results. Returns a problem or null. */
export function applyJournalOrder(
  org: SimOrg,
  ops: ReadonlyMap<string, Op>,
  journal: readonly PostingRow[],
  at: Date,
): string | null {
  const { wallet } = org
  const left = new Map(ops)
  const begun = wallet.entries.length
  for (const row of journal) {
    const op = left.get(row.ref)
    if (!op) return `posting ${row.seq} (${row.kind} ${row.ref}) was not due`
    left.delete(row.ref)
    org.applyToModel(op, at)
    const entry = wallet.entries[Number(row.seq) - 1]
    const difference = entry
      ? differenceOf(org, entry, row)
      : `posting ${row.seq} (${row.kind} ${row.ref}) was not expected`
    if (difference) return difference
  }
  for (const op of left.values()) org.applyToModel(op, at)
  const more = wallet.entries.length - begun - journal.length
  return more === 0 ? null : `${more} postings are missing`
}

/**
 * Batched operations share one check of caps and earlier holds, and each answer contains the balances of its turn. A reserve
 * that moved nothing may therefore return balances that are newer than its verdict.
 */
function isExplained(expected: Facts, { op, observed }: ObservedOp): boolean {
  if (op.kind !== 'reserve' || observed.isNew === true) return isEqual(expected, observed)
  return isEqual(verdictOf(expected), verdictOf(observed))
}

const verdictOf = ({ balance: _, held: __, plan: ___, ...verdict }: Facts): Facts => verdict

/** Whether a payment in the database equals the model. */
export const isAsModelled = (org: SimOrg, { reference, ...found }: PaymentRow): boolean =>
  isEqual(org.payments.row(reference), found)

export function isEqual(a: Facts, b: Facts): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key])
}
