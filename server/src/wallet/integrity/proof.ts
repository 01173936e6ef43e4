// The proof of a balance: it is the sum of its postings, and no posting was changed since it was written.
import type { OrgId } from '../../kernel/ids.ts'
import { INT64_MAX } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { createSemaphore } from '../../platform/db/semaphore.ts'
import { chainName } from '../../transparency/transparency.ts'
import * as sql from './proof-sql.ts'

/** The postings that one call checks. `from` continues with older ones. */
export const CHECKED_MAX = 10_000

/** The computation of `head` from the postings alone, for independent verification. */
export const HASH_RECIPE = [
  'The hash of a posting is SHA-256 over the 32 bytes of the hash before it (none before the first), followed by the',
  'UTF-8 bytes of these values joined by `|`: `movement-1`, your organisation’s id, `seq`, `id`, `kind`, `freeMinor`,',
  '`heldMinor`, `includedMinor`, `includedHeldMinor`, `revenueMinor`, `allowanceMinor`, `account`, `accountMinor`,',
  '`source`, `ref`, `balanceAfterMinor`, `cause`, `holdId`, `createdAtMicros`. Write numbers in decimal',
  'digits and null as `-`.',
].join(' ')

// A long proof keeps the database busy for a second. The limit protects other requests; a long wait for a slot ends with
// `busy`.
const proofs = createSemaphore(2, 10_000, 100)

export async function proveBalance(app: App, orgId: OrgId, from: number | undefined) {
  const row = await readProof(app, orgId, from === undefined ? INT64_MAX : BigInt(from))
  const netMinor = row.creditsMinor - row.debitsMinor
  const matches =
    netMinor === row.balanceMinor &&
    row.sumHeldMinor === row.heldMinor &&
    row.sumIncludedMinor === row.includedMinor &&
    row.sumIncludedHeldMinor === row.includedHeldMinor &&
    row.heldByHoldsMinor === row.heldMinor &&
    row.includedByHoldsMinor === row.includedHeldMinor &&
    row.movements === row.headSeq
  return {
    currency: row.currency,
    balanceMinor: row.balanceMinor,
    heldMinor: row.heldMinor,
    includedRemainingMinor: row.includedMinor - row.includedHeldMinor,
    movements: row.movements,
    sums: { creditsMinor: row.creditsMinor, debitsMinor: row.debitsMinor, netMinor },
    matches,
    holdsOpen: row.holdsOpen,
    heldByHoldsMinor: row.heldByHoldsMinor,
    head: { seq: row.headSeq, hash: row.headHash },
    transparencyName: row.transparencyName,
    checked: summarizeCheck(row),
  }
}

/** Postings for recomputing the chain, the oldest first. */
export async function listPostings(
  app: App,
  orgId: OrgId,
  { after, limit }: { after: number; limit: number },
) {
  const rows = await app.db.tx(orgId, (tx) => sql.readPostings(tx, orgId, BigInt(after), limit + 1))
  const postings = rows.slice(0, limit)
  return { movements: postings, nextAfter: rows.length > limit ? (postings.at(-1)?.seq ?? null) : null }
}

/** A page is intact if each posting continues the previous one and the last has the expected number and hash. */
export function summarizeCheck(
  row: Pick<sql.ProofRow, 'toSeq' | 'headSeq' | 'headHash' | 'found' | 'lastHash' | 'brokenAt'>,
) {
  const { toSeq, headSeq, headHash, found, lastHash, brokenAt } = row
  const expected = toSeq < BigInt(CHECKED_MAX) ? toSeq : BigInt(CHECKED_MAX)
  const fromSeq = toSeq - expected + 1n
  const isCut = expected > 0n && lastHash === null
  const isOtherHead = toSeq > 0n && toSeq === headSeq && lastHash !== headHash
  const broken = brokenAt ?? (isCut ? fromSeq + found : isOtherHead ? toSeq : null)
  return {
    fromSeq: expected === 0n ? 0n : fromSeq,
    toSeq,
    intact: broken === null,
    brokenAt: broken,
    olderFrom: fromSeq > 1n ? fromSeq - 1n : null,
  }
}

async function readProof(app: App, orgId: OrgId, upTo: bigint) {
  const wait = proofs.acquire()
  if (wait) await wait
  try {
    return await app.db.tx(orgId, async (tx) => {
      await sql.raiseStatementTimeout(tx)
      const row = await sql.readProof(tx, orgId, upTo, BigInt(CHECKED_MAX))
      return { ...row, transparencyName: await chainName(app, tx, 'wallet', orgId) }
    })
  } finally {
    proofs.release()
  }
}
