// A module is what a capability adds to the service. `modules.ts` lists them in the order they may import each other.
import type { Route } from './http/route.ts'
import type { JobKind, Schedule } from './jobs/jobs.ts'
import type { PaidFor } from './paid-for.ts'
import type { SettingGroup } from './settings/setting.ts'

export type Module = {
  readonly name: string
  readonly routes?: readonly Route[]
  readonly jobs?: readonly JobKind[]
  readonly schedules?: readonly Schedule[]
  readonly settings?: readonly SettingGroup[]
  /** What it sells against payments, by purpose. */
  readonly paidFor?: Readonly<Record<string, PaidFor>>
}
