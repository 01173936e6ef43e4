// The filter of the ledger by source and days, and its query.
import type { WalletLedgerQuery } from '@cowrie/sdk'

/** The values of the controls: empty for all. Days are in the time zone of the user. */
export type Filter = { source: string; from: string; to: string }

export const ALL: Filter = { source: '', from: '', to: '' }

/** The last day is included, so the end is the start of the next day. */
export function queryOf({ source, from, to }: Filter): WalletLedgerQuery {
  return {
    ...(source && { source: source as NonNullable<WalletLedgerQuery['source']> }),
    ...(from && { from: startOf(from, 0) }),
    ...(to && { to: startOf(to, 1) }),
  }
}

function startOf(day: string, later: number): string {
  const start = new Date(`${day}T00:00`)
  start.setDate(start.getDate() + later)
  return start.toISOString()
}
