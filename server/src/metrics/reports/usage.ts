// What was used, by day, lane, source, model and member.
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
import { fitted } from '../clamp.ts'
import { shortMemory } from '../fleet-cache.ts'
import { type Span, spanOf } from '../span.ts'
import { type Asked, readAbout, type Subject, subjectOf } from '../subject.ts'
import { type Converter, converterTo, sumUsed, sumUsedBy } from '../usage-sums.ts'

export const LONGEST_DAYS = 366
export const MODEL_DAYS = 31
export const MODELS_MAX = 50
export const MEMBERS_MAX = 200

type AskedUsage = Asked & { from?: Date | undefined; to?: Date | undefined }

export async function readUsage(app: App, actor: Actor, asked: AskedUsage) {
  const subject = await subjectOf(app, actor, asked)
  const span = spanOf(app.clock.now(), asked, { usualDays: 30, longestDays: LONGEST_DAYS })
  const read = () => usageOf(app, subject, span, seesMembers(actor))
  if (subject.scope === 'org') return read()
  return remembered(app, `${asked.from?.getTime()} ${asked.to?.getTime()}`, read)
}

type Usage = Awaited<ReturnType<typeof usageOf>>
const remembered = shortMemory<Usage>()

/** Who spent what is for those who run a team and for staff. A key has no such part, whoever made it. */
const seesMembers = (actor: Actor): boolean =>
  isPerson(actor) && (actor.staffRole !== null || hasRole(actor.role, 'admin'))

function usageOf(app: App, subject: Subject, span: Span, withMembers: boolean) {
  const { scope, orgId, currency } = subject
  const convert = converterTo(currentRateCard(app), subject)
  return readAbout(app, subject.orgId, async (tx) => {
    const cells = await usageByCell(tx, orgId, span)
    const models = isShort(span) ? await usageByModel(tx, orgId, span, MODELS_MAX) : null
    const members = withMembers && orgId !== null ? await usageByMember(tx, orgId, span, MEMBERS_MAX) : null
    return fitted({
      ...{ scope, orgId, currency, ...span },
      totals: {
        ...sumUsed(cells, convert),
        byLane: Object.fromEntries(sumUsedBy(cells, ({ lane }) => lane, convert)),
        bySource: Object.fromEntries(sumUsedBy(cells, ({ source }) => source, convert)),
        byModel: models && [...sumUsedBy(models, ({ model }) => model, convert)].map(withModel),
      },
      rows: rowsOf(cells, convert),
      byMember: members,
    })
  })
}

const isShort = ({ from, to }: Span): boolean => to.getTime() - from.getTime() <= toMs({ days: MODEL_DAYS })

const withModel = <T extends object>([model, used]: [string, T]) => ({ model, ...used })

/** One for each day, lane and source that has any. Days and names have no blanks. */
function rowsOf(cells: readonly UsageCell[], convert: Converter) {
  const summed = sumUsedBy(cells, ({ day, lane, source }) => `${day} ${lane} ${source}`, convert)
  return [...summed].map(([name, used]) => {
    const [day = '', lane = '', source = ''] = name.split(' ')
    return { day, lane, source, ...used }
  })
}
