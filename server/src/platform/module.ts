// A module is what a capability adds to the service. `modules.ts` lists them in the order they may import each other.
import type { App } from './app.ts'
import type { TenantData } from './data-export.ts'
import type { Route } from './http/route.ts'
import type { JobKind, Schedule } from './jobs/jobs.ts'
import type { PaymentHandler } from './payment-handler.ts'
import type { SettingGroup } from './settings/setting.ts'

export type Module = {
  readonly name: string
  /** The tables it owns: only its own SQL names them. A structure test checks this. */
  readonly tables?: readonly string[]
  readonly routes?: readonly Route[]
  readonly jobs?: readonly JobKind[]
  readonly schedules?: readonly Schedule[]
  readonly settings?: readonly SettingGroup[]
  /** What it sells against payments, by purpose. */
  readonly paymentHandlers?: Readonly<Record<string, PaymentHandler<App>>>
  /** What it keeps for organisations. */
  readonly tenantData?: TenantData<App>
  /** What it keeps in memory, filled before the first request. Returns how it is given up. */
  start?(app: App): Promise<() => void>
}
