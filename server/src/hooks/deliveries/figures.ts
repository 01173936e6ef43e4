// Figures of outbound webhooks: deliveries to healthy endpoints that are due and not sent.
import type { Tx } from '../../platform/db/tx.ts'
import { ageSeconds, COUNTED_MAX, type FigureSource } from '../../platform/log/figures.ts'

export const hookFigures: FigureSource = {
  name: 'hooks',
  metrics: {
    webhooks_due: `Webhook deliveries to healthy endpoints that are due and not sent, up to ${COUNTED_MAX}.`,
    webhook_due_age_seconds: 'Time since the oldest of these deliveries became due.',
  },
  async read(tx) {
    const { count, since } = await findDue(tx)
    return [
      ['webhooks_due', count],
      ['webhook_due_age_seconds', ageSeconds(tx.now, since)],
    ]
  },
}

/** Deliveries to a failing endpoint wait for it, which is not a fault of this service. */
function findDue(tx: Tx): Promise<{ count: number; since: Date | null }> {
  return tx.one<{ count: number; since: Date | null }>`
    select count(*)::int as count, min(d.next_attempt_at) as since
    from (select endpoint_id, org_id, next_attempt_at from hook_deliveries
          where status = 'pending' and next_attempt_at <= ${tx.now}
          order by next_attempt_at limit ${COUNTED_MAX}) d
      join hook_endpoints p on p.id = d.endpoint_id and p.org_id = d.org_id
    where p.enabled and p.quiet_until is null`
}
