// Verifies a ledger: recomputes every hash, the chain and the sums. Names the first posting that is wrong.
import { MoneyRules } from './money-rules.ts'
import { type Posting, postingHash, postingProblem } from './postings.ts'

export type Head = { readonly seq: number; readonly hash: string }
export type Wallet = {
  readonly balanceMinor: bigint
  readonly heldMinor: bigint
  readonly includedRemainingMinor: bigint
  /** The posting that these balances follow from. Postings after it are newer than the balances. */
  readonly head: Head
}

/**
 * `invalid`: the hash is right and the posting breaks a rule of money. `balances`: the sums differ from the wallet. Both are
 * faults of the service.
 */
export type LedgerFault = {
  readonly code: 'changed' | 'removed' | 'inserted' | 'reordered' | 'invalid' | 'balances'
  readonly seq: number
  readonly message: string
}

export type LedgerResult = {
  readonly fault: LedgerFault | null
  readonly postings: number
  readonly openHolds: number
  /** The hashes of the postings with the numbers in `watched`. */
  readonly hashes: ReadonlyMap<number, string>
}

/** After the chain breaks, this many postings are read to tell how. Longer ledgers would not fit into memory. */
const EXPLAINED_MAX = 1_000

export async function verifyLedger(
  orgId: string,
  wallet: Wallet,
  postings: Iterable<unknown> | AsyncIterable<unknown>,
  watched: readonly number[] = [],
): Promise<LedgerResult> {
  const rules = new MoneyRules()
  const hashes = new Map<number, string>()
  let last: Head = { seq: 0, hash: '' }
  let fault = last.seq === wallet.head.seq ? checkBalances(wallet, rules, last) : null
  const unread: unknown[] = []
  for await (const value of postings) {
    if (fault !== null || unread.length >= EXPLAINED_MAX) break
    if (unread.length > 0) {
      unread.push(value)
      continue
    }
    const posting = value as Posting
    const isNext = postingProblem(value) === null && posting.seq === last.seq + 1
    if (!isNext || postingHash(orgId, last.hash, posting) !== posting.hash) {
      unread.push(value)
      continue
    }
    last = { seq: posting.seq, hash: posting.hash }
    if (watched.includes(last.seq)) hashes.set(last.seq, last.hash)
    const broken = rules.add(posting)
    if (broken !== null)
      fault = { code: 'invalid', seq: last.seq, message: `Posting ${last.seq} is invalid: ${broken}.` }
    else if (last.seq === wallet.head.seq) fault = checkBalances(wallet, rules, last)
  }
  fault ??= unread.length > 0 ? explain(orgId, last, unread) : checkEnd(wallet.head, last)
  return { fault, postings: last.seq, openHolds: rules.openHolds, hashes }
}

function checkEnd(head: Head, last: Head): LedgerFault | null {
  if (last.seq >= head.seq) return null
  const seq = last.seq + 1
  return { code: 'removed', seq, message: `Posting ${seq} and all later ones up to ${head.seq} are missing.` }
}

/** Called at the posting that the balances follow from. */
function checkBalances(wallet: Wallet, { sums }: MoneyRules, last: Head): LedgerFault | null {
  const { seq } = last
  if (last.hash !== wallet.head.hash)
    return {
      code: 'changed',
      seq,
      message: `Posting ${seq} is not the head of the wallet: history was rewritten.`,
    }
  const { freeMinor, heldMinor, includedMinor } = sums
  const differences = [
    ['balance', freeMinor + heldMinor, wallet.balanceMinor],
    ['held money', heldMinor, wallet.heldMinor],
    ['remaining allowance', includedMinor, wallet.includedRemainingMinor],
  ] as const
  const wrong = differences.find(([, sum, shown]) => sum !== shown)
  if (!wrong) return null
  const [name, sum, shown] = wrong
  const message = `The ${name} is shown as ${shown}, and the postings up to ${seq} sum to ${sum}.`
  return { code: 'balances', seq, message }
}

/** Tells how the posting after `last` is wrong. `unread` begins with the posting that does not continue the chain. */
function explain(orgId: string, last: Head, unread: readonly unknown[]): LedgerFault {
  const seq = last.seq + 1
  const problem = postingProblem(unread[0])
  if (problem !== null) return { code: 'changed', seq, message: `Posting ${seq} ${problem}.` }
  const found = unread[0] as Posting
  const later = unread.slice(1).filter((value): value is Posting => postingProblem(value) === null)
  const [next] = later
  const continues = (previous: Head, posting: Posting, as: number): boolean =>
    postingHash(orgId, previous.hash, { ...posting, seq: as }) === posting.hash
  const moved = (): LedgerFault => ({
    code: 'reordered',
    seq,
    message: `Posting ${seq} is not in its place: posting ${found.seq} comes before it.`,
  })
  const added = (at: number): LedgerFault => ({
    code: 'inserted',
    seq: at,
    message: `A posting with the number ${at} was inserted.`,
  })
  const lost = (): LedgerFault => ({ code: 'removed', seq, message: `Posting ${seq} is missing.` })

  if (found.seq < seq) return added(found.seq)
  if (found.seq > seq) return later.some((each) => each.seq === seq) ? moved() : lost()
  // The number is right. Another posting may belong here, under this number or its own one.
  if (later.some((each) => each.seq === seq && continues(last, each, seq))) return added(seq)
  if (next && continues(last, next, seq)) return continues(next, found, seq + 1) ? moved() : added(seq)
  // All later postings were renumbered to close a gap.
  if (next && !continues(found, next, next.seq) && continues(found, next, next.seq + 1)) return lost()
  const message = `Posting ${seq} was changed: its hash does not follow from its fields and posting ${last.seq}.`
  return { code: 'changed', seq, message }
}
