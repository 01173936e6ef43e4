// Reads usage: a user's own, and that of a team for its admins.
import { before, toMs } from '../../kernel/clock.ts'
import { invalidFields } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { decodeTimeCursor, toPage } from '../../platform/http/page.ts'
import { sealedUntil } from './seals-sql.ts'
import { divide, type Span } from './span.ts'
import * as sql from './sql.ts'

const POINTS_MAX = 1000
const USUAL_SPAN = { days: 30 }
const LONGEST_SPAN = { days: 366 }
// The database has no year 0.
const EARLIEST = new Date('0001-01-01T00:00:00.000Z')

type Asked = { from?: Date | undefined; to?: Date | undefined }

/** The caller's usage in the active organisation. Totals are exact, regardless of the number of points. */
export async function ownUsage(app: App, { orgId, userId }: Actor, asked: Asked) {
  const span = spanOf(app.clock.now(), asked)
  const { points, sums } = await app.db.tx(orgId, async (tx) => ({
    sums: await sql.sums(tx, orgId, userId, divide(span, await sealedUntil(tx))),
    points: await sql.newestPoints(tx, orgId, userId, span, POINTS_MAX),
  }))
  return { points, totals: totalsOf(sums), ...span }
}

export async function teamUsage(
  app: App,
  orgId: OrgId,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const month = monthOf(app.clock.now())
  const place = decodeTimeCursor(cursor)
  const { rows, totalMinor } = await app.db.tx(orgId, async (tx) => {
    const parts = divide(month, await sealedUntil(tx))
    return {
      rows: await sql.membersUsage(tx, orgId, parts, place, limit + 1),
      totalMinor: await sql.totalOf(tx, orgId, parts),
    }
  })
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.joinedAt, row.userId])
  const members = items.map(({ joinedAt: _, ...member }) => ({
    ...member,
    remainingMinor: remainingOf(member.seatCapMinor, member.monthMinor),
  }))
  return { members, totalMinor, monthStart: month.from, nextCursor }
}

function spanOf(now: Date, { from, to = now }: Asked): Span {
  const usual = before(to, USUAL_SPAN)
  const begins = from ?? (usual < EARLIEST ? EARLIEST : usual)
  if (begins > to) throw invalidFields({ path: 'query.from', message: 'must not be after to' })
  if (to.getTime() - begins.getTime() > toMs(LONGEST_SPAN))
    throw invalidFields({
      path: 'query.from',
      message: `must be at most ${LONGEST_SPAN.days} days before to`,
    })
  return { from: begins, to }
}

function totalsOf(sums: readonly sql.Sum[]) {
  const all = sums.find(({ lane, source, day }) => lane === null && source === null && day === null)
  const by = (field: 'lane' | 'source') =>
    Object.fromEntries(sums.flatMap((sum) => (sum[field] === null ? [] : [[sum[field], spentOf(sum)]])))
  return {
    costMinor: all?.costMinor ?? 0n,
    tokens: all?.tokens ?? 0n,
    byLane: by('lane'),
    bySource: by('source'),
    byDay: sums.flatMap((sum) => (sum.day === null ? [] : [{ day: sum.day, ...spentOf(sum) }])),
  }
}

const spentOf = ({ costMinor, tokens }: sql.UsageCost): sql.UsageCost => ({ costMinor, tokens })

/** Calendar months, in UTC. */
const monthOf = (now: Date): Span => ({
  from: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)),
  to: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
})

/** Never negative: a cap may be lowered below the amount already spent. */
const remainingOf = (cap: bigint | null, spent: bigint): bigint | null =>
  cap === null ? null : cap > spent ? cap - spent : 0n
