// A module is the contribution of a capability to the service. `modules.ts` lists them in import order.
import type { App } from './app.ts'
import type { ApprovalHandler } from './approval-handler.ts'
import type { ChainSource } from './chains.ts'
import type { TenantData } from './data-export.ts'
import type { Route } from './http/route.ts'
import type { JobKind, Schedule } from './jobs/jobs.ts'
import type { FigureSource } from './log/figures.ts'
import type { PaymentHandler } from './payment-handler.ts'
import type { RetainedTable } from './retention.ts'
import type { SealedData } from './sealed-data.ts'
import type { SettingGroup } from './settings/setting.ts'
import type { StoredObjects } from './storage/stored-objects.ts'
import type { VerificationHandler } from './verification-handler.ts'

export type Module = {
  readonly name: string
  /** The tables it owns: only its own SQL names them. A structure test checks this. */
  readonly tables?: readonly string[]
  readonly routes?: readonly Route[]
  readonly jobs?: readonly JobKind[]
  readonly schedules?: readonly Schedule[]
  readonly settings?: readonly SettingGroup[]
  /** Payment handlers by payment purpose. */
  readonly paymentHandlers?: Readonly<Record<string, PaymentHandler<App>>>
  /** How approved operations are executed, by their kind. */
  readonly approvalHandlers?: Readonly<Record<string, ApprovalHandler<App>>>
  readonly verificationHandler?: VerificationHandler<App>
  /** The data that it stores for organisations. */
  readonly tenantData?: TenantData<App>
  /** The data that it stores sealed for longer than a few hours. */
  readonly sealed?: readonly SealedData<App>[]
  /** The objects that its rows name. */
  readonly storedObjects?: StoredObjects<App>
  /** The hash chains that it keeps. */
  readonly chains?: ChainSource
  /** The gauges that it reads from its tables for `GET /metrics`. */
  readonly figures?: readonly FigureSource[]
  /** The tables whose rows it deletes by age. */
  readonly retained?: readonly RetainedTable[]
  /** Fills in-memory state before the first request. Returns a function that releases it. */
  start?(app: App): Promise<() => void>
}
