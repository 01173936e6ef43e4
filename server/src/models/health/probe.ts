// Probes the providers every minute, once for all replicas.
import { before } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { probeUpstream } from '../../platform/inference/inference.ts'
import { job, type Schedule } from '../../platform/jobs/jobs.ts'
import { DEFAULT_PROVIDER_ID, type Provider } from '../catalogue/catalogue.ts'
import { catalogueOf, getStore } from '../catalogue/store.ts'
import { hasUpstream } from '../upstream.ts'
import { healthByProvider, recordHealth } from './health.ts'

const CONCURRENT_MAX = 20
/** A provider that served a customer this recently is alive. */
const RECENTLY_USED = { minutes: 2 }

export const probeProviders = job('models.probe', {
  attempts: 1,
  pool: 'models',
  async run(app, { signal }) {
    await getStore(app).refresh()
    const waiting = await providersToProbe(app)
    const work = async () => {
      for (let next = waiting.pop(); next && !signal.aborted; next = waiting.pop())
        await probeProvider(app, next, signal)
    }
    await Promise.all(Array.from({ length: CONCURRENT_MAX }, work))
  },
})

export const probeProvidersSchedule: Schedule = {
  name: 'models.probe',
  job: 'models.probe',
  everySeconds: 60,
}

async function probeProvider(app: App, { id, target }: Provider, signal: AbortSignal): Promise<void> {
  const result = await probeUpstream(app, target, signal)
  // An interrupted probe is no evidence about the provider.
  if (signal.aborted) return
  await recordHealth(app, id, result.ok ? { ok: true, isCall: false } : result)
}

async function providersToProbe(app: App): Promise<Provider[]> {
  const health = await healthByProvider(app)
  const recently = before(app.clock.now(), RECENTLY_USED)
  return [...catalogueOf(app).providers.values()].filter(({ id, enabled }) => {
    const known = health.get(id)
    const isServing = known?.status === 'healthy' && known.lastUsedAt !== null && known.lastUsedAt > recently
    const isDevelopmentModel = id === DEFAULT_PROVIDER_ID && !hasUpstream(app)
    return enabled && !isServing && !isDevelopmentModel
  })
}
