// Checks that every confirmed amount is booked exactly once and that nothing is left open.
import type { Sql } from '../src/platform/db/tx.ts'
import type { Confirmations } from './customers.ts'
import * as sql from './sql.ts'

/** One message per violation. Empty if there is none. */
export async function findViolations(owner: Sql, confirmed: Confirmations, at: Date): Promise<string[]> {
  const found: string[] = []
  const credits = new Map((await sql.creditsByReference(owner)).map((row) => [row.ref, row]))
  for (const [reference, minor] of confirmed.credits) {
    const credit = credits.get(reference)
    if (!credit) found.push(`the credit of ${reference} was confirmed and is lost`)
    else if (credit.minor !== minor)
      found.push(`${reference} was confirmed as ${minor} and credited as ${credit.minor}`)
  }
  const settled = new Set((await sql.settledPayments(owner)).map(({ reference }) => reference))
  for (const { ref, times } of credits.values()) {
    if (times !== 1) found.push(`${ref} was credited ${times} times`)
    if (!settled.has(ref)) found.push(`${ref} was credited without being settled`)
  }
  for (const reference of settled)
    if (!credits.has(reference)) found.push(`${reference} is settled and was not credited`)

  const holds = new Map((await sql.endsByHold(owner)).map((row) => [row.id, row]))
  for (const [id, charged] of confirmed.debits) {
    const hold = holds.get(id)
    if (hold?.state !== 'settled')
      found.push(`the debit of ${id} was confirmed and is ${hold?.state ?? 'lost'}`)
    else if (hold.charged !== charged)
      found.push(`${id} was confirmed as ${charged} and charged as ${hold.charged}`)
  }
  for (const { id, state, charged, ends, revenue } of holds.values()) {
    if (state !== 'open' && ends !== 1) found.push(`${id} ended ${ends} times`)
    if (revenue !== charged) found.push(`${id} was charged ${charged} and earned ${revenue}`)
  }
  const overdue = await sql.overdueHolds(owner, at)
  if (overdue > 0) found.push(`${overdue} holds are open past their deadline`)
  for (const { orgId } of await sql.unbalancedWallets(owner))
    found.push(`the wallet of ${orgId} is not the sum of its postings`)
  const broken = await sql.countBrokenHashLinks(owner)
  if (broken > 0) found.push(`${broken} postings are not chained to the previous one`)
  return found
}
