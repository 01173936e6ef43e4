// Compares the journal of a wallet with the model, posting by posting.
import { createHash } from 'node:crypto'
import type { PostingModel } from '../model/wallet-model.ts'
import { type SimOrg, Violation } from '../org.ts'
import type { PostingRow } from '../sql.ts'

/** Compares one posting with the model's. Returns the difference or null. */
export function differenceOf(org: SimOrg, entry: PostingModel, row: PostingRow): string | null {
  const expected = {
    ...sidesOf(entry),
    balanceAfter: entry.balanceAfter,
    kind: entry.kind,
    account: entry.account,
    source: entry.source,
    ref: entry.ref,
    // The cause of a refund contains the idempotency key id, which only the service knows.
    cause: entry.account === 'refunds' ? row.cause : entry.cause,
    holdId: entry.isHold ? (org.holdIds.get(entry.ref) ?? null) : null,
    at: entry.at.getTime(),
  }
  const found: Record<string, unknown> = { ...row, at: row.at.getTime() }
  const wrong = Object.entries(expected).find(([key, value]) => found[key] !== value)
  if (!wrong) return null
  return `posting ${row.seq} (${row.kind} ${row.ref}) has ${wrong[0]} ${found[wrong[0]]} where the model has ${wrong[1]}`
}

const sidesOf = ({ free, held, plan, planHeld, revenue, allowance, accountMinor }: PostingModel) => ({
  ...{ free, held, plan, planHeld },
  ...{ revenue, allowance, accountMinor },
})

/** Continues after the last check: the same postings, numbered without a gap, chained by their hashes. */
export function checkJournal(org: SimOrg, rows: readonly PostingRow[]): void {
  const { entries } = org.wallet
  const expected = entries.length - org.checked
  if (rows.length !== expected)
    throw new Violation(`${rows.length} postings were written and the model has ${expected}`)
  for (const row of rows) {
    const entry = entries[org.checked] as PostingModel
    const difference = differenceOf(org, entry, row)
    if (difference) throw new Violation(difference)
    if (row.seq !== BigInt(org.checked + 1)) throw new Violation(`posting ${row.seq} follows ${org.checked}`)
    const hash = hashOf(org.head, row)
    if (!hash.equals(row.hash)) throw new Violation(`posting ${row.seq} has a wrong hash`)
    org.head = hash
    org.checked++
  }
}

function hashOf(previous: Uint8Array, row: PostingRow): Buffer {
  const text = [
    ...['movement-1', row.orgId, row.seq, row.id, row.kind],
    ...[row.free, row.held, row.plan, row.planHeld, row.revenue, row.allowance],
    ...[row.account ?? '-', row.accountMinor, row.source, row.ref, row.balanceAfter],
    ...[row.cause ?? '-', row.holdId ?? '-', BigInt(row.at.getTime()) * 1_000n],
  ].join('|')
  return createHash('sha256').update(previous).update(text).digest()
}
