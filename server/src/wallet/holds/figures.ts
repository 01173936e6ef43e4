// Figures of holds that the sweeper should have ended: money that customers cannot spend.
import { before } from '../../kernel/clock.ts'
import { ageSeconds, COUNTED_MAX, type Figure, type FigureSource } from '../../platform/log/figures.ts'

/** The sweeper runs every 30 seconds and may be a little behind. A hold that is open later is stuck. */
const SWEPT_WITHIN = { minutes: 2 }

export const holdFigures: FigureSource = {
  name: 'holds',
  metrics: {
    holds_stuck: `Open holds whose deadline passed more than two minutes ago, by currency, up to ${COUNTED_MAX}.`,
    holds_stuck_minor: 'The money of these holds in minor units, by currency.',
    hold_stuck_age_seconds: 'Time since the deadline of the oldest of these holds.',
  },
  async read(tx) {
    const stuck = await tx.rows<{ currency: string; count: number; minor: number; since: Date }>`
      select w.currency, count(*)::int as count, sum(h.amount_minor)::float8 as minor, min(h.deadline) as since
      from (select org_id, amount_minor, deadline from holds
            where state = 'open' and deadline <= ${before(tx.now, SWEPT_WITHIN)}
            order by deadline limit ${COUNTED_MAX}) h
        join wallets w on w.org_id = h.org_id
      group by w.currency order by w.currency`
    const oldest = Math.max(0, ...stuck.map(({ since }) => ageSeconds(tx.now, since)))
    const byCurrency = stuck.flatMap(({ currency, count, minor }): Figure[] => [
      ['holds_stuck', count, { currency }],
      ['holds_stuck_minor', minor, { currency }],
    ])
    return [['hold_stuck_age_seconds', oldest], ...byCurrency]
  },
}
