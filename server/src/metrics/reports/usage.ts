// Usage by day, lane, source, model and member.
import { toMs } from '../../kernel/clock.ts'
import {
  currentRateCard,
  type UsageCell,
  usageByCell,
  usageByMember,
  usageByModel,
} from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import { type Actor, hasRole, isPerson } from '../../platform/http/actor.ts'
import { clampToInt64 } from '../clamp.ts'
import { createFleetCache } from '../fleet-cache.ts'
import { readFigures, resolveSubject, type Subject, type SubjectQuery } from '../subject.ts'
import { resolveRange, type TimeRange } from '../time-range.ts'
import { type Converter, createConverter, sumUsage, sumUsageBy } from '../usage-sums.ts'

export const DAYS_MAX = 366
export const MODEL_DAYS = 31
export const MODELS_MAX = 50
export const MEMBERS_MAX = 200

type UsageInput = SubjectQuery & { from?: Date | undefined; to?: Date | undefined }

export async function readUsage(app: App, actor: Actor, query: UsageInput) {
  const subject = await resolveSubject(app, actor, query)
  const range = resolveRange(app.clock.now(), query, { defaultDays: 30, maxDays: DAYS_MAX })
  const read = () => computeUsage(app, subject, range, maySeeMembers(actor))
  if (subject.scope === 'org') return read()
  return cached(app, `${query.from?.getTime()} ${query.to?.getTime()}`, read)
}

type Usage = Awaited<ReturnType<typeof computeUsage>>
const cached = createFleetCache<Usage>()

/** Usage by member is visible to owners, admins and staff. API keys never see it. */
const maySeeMembers = (actor: Actor): boolean =>
  isPerson(actor) && (actor.staffRole !== null || hasRole(actor.role, 'admin'))

function computeUsage(app: App, subject: Subject, range: TimeRange, withMembers: boolean) {
  const { scope, orgId, currency } = subject
  const convert = createConverter(currentRateCard(app), subject)
  return readFigures(app, subject.orgId, async (tx) => {
    const cells = await usageByCell(tx, orgId, range)
    const models = isShort(range) ? await usageByModel(tx, orgId, range, MODELS_MAX) : null
    const members = withMembers && orgId !== null ? await usageByMember(tx, orgId, range, MEMBERS_MAX) : null
    return clampToInt64({
      ...{ scope, orgId, currency, ...range },
      totals: {
        ...sumUsage(cells, convert),
        byLane: Object.fromEntries(sumUsageBy(cells, ({ lane }) => lane, convert)),
        bySource: Object.fromEntries(sumUsageBy(cells, ({ source }) => source, convert)),
        byModel: models && [...sumUsageBy(models, ({ model }) => model, convert)].map(withModel),
      },
      rows: rowsOf(cells, convert),
      byMember: members,
    })
  })
}

const isShort = ({ from, to }: TimeRange): boolean =>
  to.getTime() - from.getTime() <= toMs({ days: MODEL_DAYS })

const withModel = <T extends object>([model, used]: [string, T]) => ({ model, ...used })

/** One row for each day, lane and source with usage. Days and names contain no spaces. */
function rowsOf(cells: readonly UsageCell[], convert: Converter) {
  const summed = sumUsageBy(cells, ({ day, lane, source }) => `${day} ${lane} ${source}`, convert)
  return [...summed].map(([name, used]) => {
    const [day = '', lane = '', source = ''] = name.split(' ')
    return { day, lane, source, ...used }
  })
}
