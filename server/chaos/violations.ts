// Whether everything that was told is true, once, and nothing is left open.
import type { Sql } from '../src/platform/db/tx.ts'
import type { Confirmations } from './customers.ts'
import * as sql from './sql.ts'

/** Everything that is wrong, in words; empty when all is well. */
export async function findViolations(owner: Sql, told: Confirmations, at: Date): Promise<string[]> {
  const found: string[] = []
  const credits = new Map((await sql.creditsByReference(owner)).map((row) => [row.ref, row]))
  for (const [reference, minor] of told.credits) {
    const credit = credits.get(reference)
    if (!credit) found.push(`the credit of ${reference} was told and is lost`)
    else if (credit.minor !== minor)
      found.push(`${reference} was told as ${minor} and credited as ${credit.minor}`)
  }
  const settled = new Set((await sql.settledPayments(owner)).map(({ reference }) => reference))
  for (const { ref, times } of credits.values()) {
    if (times !== 1) found.push(`${ref} was credited ${times} times`)
    if (!settled.has(ref)) found.push(`${ref} was credited without being settled`)
  }
  for (const reference of settled)
    if (!credits.has(reference)) found.push(`${reference} is settled and was not credited`)

  const holds = new Map((await sql.endsByHold(owner)).map((row) => [row.id, row]))
  for (const [id, charged] of told.debits) {
    const hold = holds.get(id)
    if (hold?.state !== 'settled') found.push(`the debit of ${id} was told and is ${hold?.state ?? 'lost'}`)
    else if (hold.charged !== charged)
      found.push(`${id} was told as ${charged} and charged as ${hold.charged}`)
  }
  for (const { id, state, charged, ends, revenue } of holds.values()) {
    if (state !== 'open' && ends !== 1) found.push(`${id} ended ${ends} times`)
    if (revenue !== charged) found.push(`${id} was charged ${charged} and earned ${revenue}`)
  }
  const overdue = await sql.overdueHolds(owner, at)
  if (overdue > 0) found.push(`${overdue} holds are open past their deadline`)
  for (const { orgId } of await sql.unbalancedWallets(owner))
    found.push(`the wallet of ${orgId} is not the sum of its movements`)
  const broken = await sql.countBrokenHashLinks(owner)
  if (broken > 0) found.push(`${broken} movements are not chained to the one before`)
  return found
}
