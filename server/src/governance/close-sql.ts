// The statements of an organisation's end.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export async function markClosed(tx: Tx, org: OrgId): Promise<void> {
  await tx.one`update orgs set closed_at = ${tx.now} where id = ${org} and closed_at is null returning id`
}

/** Waits for a moment in which nobody else changes the organisation. */
export async function isClosed(tx: Tx, org: OrgId): Promise<boolean> {
  const { closed } = await tx.one<{ closed: boolean }>`
    select closed_at is not null as closed from orgs where id = ${org} for share`
  return closed
}
