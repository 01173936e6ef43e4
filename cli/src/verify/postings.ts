// The postings of a ledger and their hashes. This folder shares no code with the service, so that it can be read and trusted alone.
import { createHash } from 'node:crypto'

/** A posting of the data export, or of GET /wallet/proof/movements. */
export type Posting = {
  readonly seq: number
  readonly id: string
  readonly kind: string
  readonly freeMinor: bigint
  readonly heldMinor: bigint
  readonly includedMinor: bigint
  readonly includedHeldMinor: bigint
  readonly revenueMinor: bigint
  readonly allowanceMinor: bigint
  readonly account: string | null
  readonly accountMinor: bigint
  readonly source: string
  readonly ref: string
  readonly balanceAfterMinor: bigint
  readonly cause: string | null
  readonly holdId: string | null
  readonly createdAt: string
  readonly createdAtMicros: number
  readonly hash: string
}

/** The seven amounts. They sum to zero. */
export const AMOUNTS = [
  'freeMinor',
  'heldMinor',
  'includedMinor',
  'includedHeldMinor',
  'revenueMinor',
  'allowanceMinor',
  'accountMinor',
] as const

const TEXTS = ['id', 'kind', 'source', 'ref'] as const
const OPTIONAL_TEXTS = ['account', 'cause', 'holdId'] as const

/**
 * SHA-256 over the hash before it and the fields joined by `|`, as the documentation of GET /wallet/proof describes. The
 * first posting has no hash before it.
 */
export function postingHash(orgId: string, previous: string, posting: Posting): string {
  const text = [
    'movement-1',
    orgId,
    posting.seq,
    posting.id,
    posting.kind,
    posting.freeMinor,
    posting.heldMinor,
    posting.includedMinor,
    posting.includedHeldMinor,
    posting.revenueMinor,
    posting.allowanceMinor,
    posting.account ?? '-',
    posting.accountMinor,
    posting.source,
    posting.ref,
    posting.balanceAfterMinor,
    posting.cause ?? '-',
    posting.holdId ?? '-',
    posting.createdAtMicros,
  ].join('|')
  return createHash('sha256').update(Buffer.from(previous, 'hex')).update(text).digest('hex')
}

/** The reason why a value is no posting; null for a posting. */
export function postingProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return 'is not an object'
  const posting = value as Record<string, unknown>
  if (!isCount(posting.seq)) return 'has no number'
  for (const name of [...AMOUNTS, 'balanceAfterMinor'])
    if (typeof posting[name] !== 'bigint') return `has no ${name}`
  // With a bar in a text, or `-` as a text, two postings would have the same hash.
  for (const name of TEXTS) if (!isPlain(posting[name])) return `has no valid ${name}`
  for (const name of OPTIONAL_TEXTS)
    if (posting[name] !== null && (!isPlain(posting[name]) || posting[name] === '-'))
      return `has no valid ${name}`
  if (!isCount(posting.createdAtMicros)) return 'has no createdAtMicros'
  const shown = Date.parse(String(posting.createdAt))
  if (shown !== Math.floor(posting.createdAtMicros / 1000)) return 'shows another time than the hashed one'
  return /^[0-9a-f]{64}$/.test(String(posting.hash)) ? null : 'has no hash'
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0
const isPlain = (value: unknown): boolean => typeof value === 'string' && !value.includes('|')
