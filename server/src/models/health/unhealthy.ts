// Providers that customers cannot use now, for the overview of staff.
import type { App } from '../../platform/app.ts'
import { catalogueOf } from '../catalogue/store.ts'
import { healthByProvider } from './health.ts'

export type UnhealthyProvider = {
  readonly id: string
  readonly name: string
  readonly since: Date
  /** The provider does not accept our key or account. */
  readonly isRejected: boolean
  readonly lastError: string
}

/** The enabled providers that are down or reject our key. */
export async function unhealthyProviders(app: App): Promise<UnhealthyProvider[]> {
  const health = await healthByProvider(app)
  return [...catalogueOf(app).providers.values()].flatMap(({ id, name, enabled }) => {
    const known = health.get(id)
    if (!enabled || known?.status !== 'down') return []
    const { since, isRejected, lastError } = known
    return [{ id, name, since, isRejected, lastError: lastError ?? 'No reason is known.' }]
  })
}
