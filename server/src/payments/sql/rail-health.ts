// Statements on the rail_health table. All need platform scope.
import type { Tx } from '../../platform/db/tx.ts'

export type RailHealth = {
  rail: string
  account: string
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  lastFailureReason: string | null
  pausedUntil: Date | null
  /** The last answer was that our keys are refused. */
  keysRefusedAt: Date | null
}

/** A success closes the circuit. */
export async function upsertHealth(
  tx: Tx,
  update: {
    rail: string
    account: string
    failure: string | null
    pausedUntil: Date | null
    areKeysRefused: boolean
  },
): Promise<void> {
  const { rail, account, failure, pausedUntil, areKeysRefused } = update
  await tx.rows`
    insert into rail_health as h (rail, account, last_success_at, last_failure_at, last_failure_reason, paused_until,
                                  keys_refused_at)
    values (${rail}, ${account}, ${failure === null ? tx.now : null}, ${failure === null ? null : tx.now}, ${failure},
            ${pausedUntil}, ${areKeysRefused ? tx.now : null})
    on conflict (rail, account) do update set
      last_success_at = greatest(h.last_success_at, excluded.last_success_at),
      last_failure_at = greatest(h.last_failure_at, excluded.last_failure_at),
      last_failure_reason = coalesce(excluded.last_failure_reason, h.last_failure_reason),
      paused_until = case when excluded.last_success_at is null
                          then greatest(h.paused_until, excluded.paused_until) end,
      keys_refused_at = case when excluded.last_success_at is null
                             then coalesce(excluded.keys_refused_at, h.keys_refused_at) end`
}

export function listHealth(tx: Tx): Promise<RailHealth[]> {
  return tx.rows<RailHealth>`
    select rail, account, last_success_at as "lastSuccessAt", last_failure_at as "lastFailureAt",
           last_failure_reason as "lastFailureReason", paused_until as "pausedUntil",
           keys_refused_at as "keysRefusedAt"
    from rail_health`
}
