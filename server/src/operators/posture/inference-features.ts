// Model features. They are settings that environment variables seed.
import { keyRefusal } from '../../metering/metering.ts'
import { hasUpstream, unhealthyProviders } from '../../models/models.ts'
import type { App } from '../../platform/app.ts'
import type { Feature } from './feature.ts'

export async function inferenceFeatures(app: App): Promise<Feature[]> {
  const isConfigured = hasUpstream(app)
  const refusal = await keyRefusal(app)
  const refused =
    refusal &&
    `The upstream has refused the key with status ${refusal.status} since ${refusal.since.toISOString()}.`
  const isProduction = app.config.environment === 'production'
  const hasOpen = isSet(app, 'upstream_open_model')
  const model = (key: string, label: string, setting: string, without: string): Feature => {
    const has = isSet(app, setting)
    return {
      ...{ key, label, env: variableOf(setting), live: isConfigured && has && !refused },
      detail: has ? (refused ?? (isConfigured ? 'Set.' : 'Set, but no upstream is configured.')) : without,
    }
  }
  return [
    {
      key: 'inference',
      label: 'Models',
      env: ['upstream_base_url', 'upstream_api_key', 'upstream_open_model'].map(variableOf).join(', '),
      live: isConfigured && hasOpen && !refused,
      detail: isConfigured
        ? hasOpen
          ? (refused ?? `An upstream is set, ${isSet(app, 'upstream_api_key') ? 'with' : 'without'} a key.`)
          : 'An upstream is set, but no model for the open lane.'
        : isProduction
          ? 'Not set. Model calls are refused.'
          : 'Not set. The development model is used.',
    },
    model(
      'frontier_model',
      'Frontier lane',
      'upstream_frontier_model',
      'Not set. Every request uses the open lane.',
    ),
    model(
      'residency_model',
      'Model for organisations bound to a region',
      'upstream_open_noprc_model',
      'Not set. Requests of those organisations are refused.',
    ),
    ...(await providerFeatures(app)),
  ]
}

/** Only providers that customers cannot use now. */
async function providerFeatures(app: App): Promise<Feature[]> {
  return (await unhealthyProviders(app)).map(({ id, name, since, lastError }) => ({
    key: `provider_${id}`,
    label: `Model provider ${name}`,
    env: '',
    live: false,
    detail: `Down since ${since.toISOString()}: ${lastError.charAt(0).toLowerCase()}${lastError.slice(1)}`,
  }))
}

/** The environment variable that seeds a setting. */
const variableOf = (setting: string): string => `SERVICE_${setting.toUpperCase()}`

function isSet(app: App, key: string): boolean {
  const setting = app.settings.find(key)
  return setting !== undefined && app.settings.get(setting) !== ''
}
