// Random ledgers that obey the rules of the wallet, with hashes as the documentation of the service describes them.
import { createHash } from 'node:crypto'
import fc from 'fast-check'

export type LedgerRow = {
  seq: number
  id: string
  kind: string
  freeMinor: bigint
  heldMinor: bigint
  includedMinor: bigint
  includedHeldMinor: bigint
  revenueMinor: bigint
  allowanceMinor: bigint
  account: string | null
  accountMinor: bigint
  source: string
  ref: string
  balanceAfterMinor: bigint
  cause: string | null
  holdId: string | null
  createdAt: string
  createdAtMicros: number
  hash: string
}

export type Ledger = {
  orgId: string
  wallet: {
    balanceMinor: bigint
    heldMinor: bigint
    includedRemainingMinor: bigint
    head: { seq: number; hash: string }
  }
  postings: LedgerRow[]
}

const START_MICROS = 1_763_500_000_123_456

export function hashOf(orgId: string, previous: string, row: Omit<LedgerRow, 'hash'>): string {
  const fields = [
    row.seq,
    row.id,
    row.kind,
    row.freeMinor,
    row.heldMinor,
    row.includedMinor,
    row.includedHeldMinor,
  ]
  const others = [
    row.revenueMinor,
    row.allowanceMinor,
    row.account ?? '-',
    row.accountMinor,
    row.source,
    row.ref,
  ]
  const end = [row.balanceAfterMinor, row.cause ?? '-', row.holdId ?? '-', row.createdAtMicros]
  return createHash('sha256')
    .update(Buffer.from(previous, 'hex'))
    .update(['movement-1', orgId, ...fields, ...others, ...end].join('|'))
    .digest('hex')
}

/** Computes all hashes and the head again. */
export function rehash(ledger: Ledger): Ledger {
  let hash = ''
  const postings = ledger.postings.map((row) => {
    hash = hashOf(ledger.orgId, hash, row)
    return { ...row, hash }
  })
  return { ...ledger, postings, wallet: { ...ledger.wallet, head: { seq: postings.length, hash } } }
}

type Step = { kind: 'credit' | 'debit' | 'grant' | 'reserve' | 'end'; amount: bigint; share: number }

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('credit', 'reserve', 'end', 'reserve', 'end', 'debit', 'grant'),
  amount: fc.bigInt({ min: 1n, max: 9_000_000_000_000_000n }),
  share: fc.integer({ min: 0, max: 100 }),
})

/** At least `minLength` postings. */
export const ledgers = (minLength: number, maxLength: number): fc.Arbitrary<Ledger> =>
  fc.array(step, { minLength, maxLength }).map(toLedger)

const NONE = {
  ...{
    freeMinor: 0n,
    heldMinor: 0n,
    includedMinor: 0n,
    includedHeldMinor: 0n,
    revenueMinor: 0n,
    allowanceMinor: 0n,
  },
  ...{
    account: null as string | null,
    accountMinor: 0n,
    cause: null as string | null,
    holdId: null as string | null,
  },
}

/** A step that is not possible becomes a credit. */
function toLedger(steps: readonly Step[]): Ledger {
  const orgId = 'org_01m7gmbak4s8ggdzkbwftjwgfv'
  let [free, held, included] = [0n, 0n, 0n]
  const open: { holdId: string; heldMinor: bigint; includedMinor: bigint }[] = []
  const postings = steps.map(({ kind, amount, share }, n): LedgerRow => {
    const percent = (of: bigint) => (of * BigInt(share)) / 100n
    const move = {
      ...NONE,
      kind: 'credit',
      freeMinor: amount,
      account: 'clearing:card',
      accountMinor: -amount,
    }
    if (kind === 'debit' && percent(free) > 0n)
      Object.assign(move, {
        kind,
        freeMinor: -percent(free),
        account: 'refunds',
        accountMinor: percent(free),
      })
    if (kind === 'grant')
      Object.assign(move, NONE, { kind, includedMinor: amount - included, allowanceMinor: included - amount })
    const ending = kind === 'end' ? open.splice(share % (open.length || 1), 1)[0] : undefined
    if (ending) {
      const charge = percent(ending.heldMinor)
      const back = percent(ending.includedMinor)
      Object.assign(move, NONE, {
        ...{ kind: charge === 0n ? 'release' : 'settle', holdId: ending.holdId, revenueMinor: charge },
        ...{ heldMinor: -ending.heldMinor, freeMinor: ending.heldMinor - charge },
        ...{
          includedHeldMinor: -ending.includedMinor,
          includedMinor: back,
          allowanceMinor: ending.includedMinor - back,
        },
      })
    }
    const [part, allowance] = [percent(free), percent(included)]
    if (kind === 'reserve' && part + allowance > 0n) {
      const holdId = `hold_${n}`
      open.push({ holdId, heldMinor: part, includedMinor: allowance })
      Object.assign(move, NONE, {
        ...{ kind, holdId, freeMinor: -part, heldMinor: part },
        ...{ includedMinor: -allowance, includedHeldMinor: allowance },
      })
    }
    free += move.freeMinor
    held += move.heldMinor
    included += move.includedMinor
    const micros = START_MICROS + n * 1_000_001
    return {
      ...move,
      seq: n + 1,
      id: `led_${n}`,
      cause: move.holdId === null ? `topup tp${n}` : null,
      source: 'agent',
      ref: `run ${n}`,
      balanceAfterMinor: free + held,
      createdAt: new Date(Math.floor(micros / 1000)).toISOString(),
      createdAtMicros: micros,
      hash: '',
    }
  })
  const wallet = {
    balanceMinor: free + held,
    heldMinor: held,
    includedRemainingMinor: included,
    head: { seq: 0, hash: '' },
  }
  return rehash({ orgId, wallet, postings })
}
