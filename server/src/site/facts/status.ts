// The public state of the service: words without hosts, names of accounts or reasons. Read at most every few seconds.
import { keyRefusal } from '../../metering/metering.ts'
import { hasUpstream, unhealthyProviders } from '../../models/models.ts'
import { type ChannelStatus, channelStatuses } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import { maintenanceMode } from '../../platform/settings/platform-settings.ts'
import { statusNotice } from './settings.ts'
import { COUNTRY_CODES, type Country, CURRENCY_OF } from './visitor.ts'

export const STATUS_SECONDS = 5
const DATABASE_MS = 2_000

export type State = 'works' | 'limited' | 'down' | 'test'
export type ServiceStatus = {
  readonly at: Date
  readonly notice: string
  readonly service: State
  readonly database: State
  readonly models: State
  readonly mail: State
  readonly payments: ReadonlyMap<Country, readonly ChannelStatus[]>
}

const readings = new WeakMap<App, { readonly atMs: number; readonly status: Promise<ServiceStatus> }>()

/** Concurrent and repeated calls share one reading, so that visitors cannot load the database. */
export function readStatus(app: App): Promise<ServiceStatus> {
  const now = app.clock.now()
  const last = readings.get(app)
  if (last && now.getTime() - last.atMs < STATUS_SECONDS * 1_000) return last.status
  const status = observe(app, now)
  readings.set(app, { atMs: now.getTime(), status })
  return status
}

async function observe(app: App, at: Date): Promise<ServiceStatus> {
  const facts = {
    at,
    notice: app.settings.get(statusNotice),
    service: app.settings.get(maintenanceMode) ? ('limited' as const) : ('works' as const),
    mail: app.mail.smtp ? ('works' as const) : ('test' as const),
  }
  try {
    await app.db.ping(DATABASE_MS)
    const [models, channels] = await Promise.all([
      modelState(app),
      channelStatuses(app, Object.values(CURRENCY_OF)),
    ])
    const payments = COUNTRY_CODES.map(
      (country) => [country, channels.get(CURRENCY_OF[country]) ?? []] as const,
    )
    return { ...facts, database: 'works', models, payments: new Map(payments) }
  } catch (error) {
    app.log.warn({ err: error }, 'site.status.read_failed')
    return { ...facts, service: 'limited', database: 'down', models: 'limited', payments: new Map() }
  }
}

async function modelState(app: App): Promise<State> {
  if (!hasUpstream(app) && app.developmentModel) return 'test'
  const [refusal, unhealthy] = await Promise.all([keyRefusal(app), unhealthyProviders(app)])
  if (!hasUpstream(app) || refusal) return 'down'
  return unhealthy.length > 0 ? 'limited' : 'works'
}
