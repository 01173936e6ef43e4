// The rules of money that a ledger obeys: double entry, no negative balance, and no charge above its reservation.
import { AMOUNTS, type Posting } from './postings.ts'

type Hold = { readonly heldMinor: bigint; readonly includedMinor: bigint }

/** The sums of the postings so far. */
export type Sums = { freeMinor: bigint; heldMinor: bigint; includedMinor: bigint; includedHeldMinor: bigint }

export class MoneyRules {
  readonly sums: Sums = { freeMinor: 0n, heldMinor: 0n, includedMinor: 0n, includedHeldMinor: 0n }
  readonly #open = new Map<string, Hold>()
  readonly #used = new Set<string>()

  get openHolds(): number {
    return this.#open.size
  }

  /** Adds a posting. Returns the rule that it breaks, or null. */
  add(posting: Posting): string | null {
    const { sums } = this
    for (const name of ['freeMinor', 'heldMinor', 'includedMinor', 'includedHeldMinor'] as const)
      sums[name] += posting[name]
    if (AMOUNTS.reduce((sum, name) => sum + posting[name], 0n) !== 0n) return 'its amounts do not sum to zero'
    if (posting.balanceAfterMinor !== sums.freeMinor + sums.heldMinor)
      return 'its balance is not the sum of the postings'
    if (Object.values(sums).some((sum) => sum < 0n)) return 'a balance is below zero after it'
    return this.#checkKind(posting)
  }

  #checkKind(posting: Posting): string | null {
    const { kind, freeMinor, heldMinor, includedHeldMinor, holdId } = posting
    if (kind === 'reserve') return this.#reserve(posting)
    if (kind === 'settle' || kind === 'release' || kind === 'expire') return this.#end(posting)
    if (heldMinor !== 0n || includedHeldMinor !== 0n || holdId !== null)
      return `a ${kind} does not change reservations`
    if (kind === 'credit') return freeMinor > 0n ? null : 'a credit adds money'
    if (kind === 'debit') return freeMinor < 0n ? null : 'a debit takes money'
    if (kind === 'grant') return freeMinor === 0n ? null : 'a grant changes only the allowance'
    return `${kind} is no kind of posting`
  }

  #reserve({ heldMinor, includedHeldMinor, freeMinor, includedMinor, holdId }: Posting): string | null {
    if (holdId === null || this.#used.has(holdId)) return 'it opens a reservation a second time'
    if (heldMinor < 0n || includedHeldMinor < 0n) return 'it reserves less than nothing'
    if (freeMinor !== -heldMinor || includedMinor !== -includedHeldMinor)
      return 'it reserves another amount than it takes'
    this.#used.add(holdId)
    this.#open.set(holdId, { heldMinor, includedMinor: includedHeldMinor })
    return null
  }

  #end(posting: Posting): string | null {
    const { holdId, kind, freeMinor, heldMinor, includedMinor, includedHeldMinor, revenueMinor } = posting
    const hold = this.#open.get(holdId ?? '')
    if (hold === undefined || holdId === null) return 'it ends a reservation that is not open'
    this.#open.delete(holdId)
    if (heldMinor !== -hold.heldMinor || includedHeldMinor !== -hold.includedMinor)
      return 'it releases another amount than was reserved'
    if (revenueMinor < 0n || revenueMinor > hold.heldMinor) return 'its charge is above its reservation'
    if (freeMinor !== hold.heldMinor - revenueMinor) return 'it returns another amount than the rest'
    if (includedMinor < 0n || includedMinor > hold.includedMinor)
      return 'it takes more of the allowance than was reserved'
    return kind !== 'settle' && revenueMinor !== 0n ? `a ${kind} charges nothing` : null
  }
}
