// The models, which are settings that variables seed.
import { hasUpstream, keyRefusal } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Feature } from './posture.ts'

export async function inferenceFeatures(app: App): Promise<Feature[]> {
  const isThere = hasUpstream(app)
  const refusal = await keyRefusal(app)
  const refused =
    refusal &&
    `The upstream refuses the key with status ${refusal.status}, since ${refusal.since.toISOString()}.`
  const isProduction = app.config.environment === 'production'
  const hasOpen = isSet(app, 'upstream_open_model')
  const model = (key: string, label: string, setting: string, without: string): Feature => {
    const has = isSet(app, setting)
    return {
      ...{ key, label, env: variableOf(setting), live: isThere && has && !refused },
      detail: has ? (refused ?? (isThere ? 'Set.' : 'Set, and no upstream to serve it.')) : without,
    }
  }
  return [
    {
      key: 'inference',
      label: 'Models',
      env: ['upstream_base_url', 'upstream_api_key', 'upstream_open_model'].map(variableOf).join(', '),
      live: isThere && hasOpen && !refused,
      detail: isThere
        ? hasOpen
          ? (refused ?? `An upstream is set, ${isSet(app, 'upstream_api_key') ? 'with' : 'without'} a key.`)
          : 'An upstream is set, and no model for the open lane.'
        : isProduction
          ? 'Not set: whoever asks is refused.'
          : 'Not set: the development model answers.',
    },
    model(
      'frontier_model',
      'Frontier lane',
      'upstream_frontier_model',
      'Not set: all is served on the open lane.',
    ),
    model(
      'residency_model',
      'Model for organisations bound to a region',
      'upstream_open_noprc_model',
      'Not set: those organisations are refused.',
    ),
  ]
}

/** The variable that seeds a setting. */
const variableOf = (setting: string): string => `SERVICE_${setting.toUpperCase()}`

function isSet(app: App, key: string): boolean {
  const setting = app.settings.find(key)
  return setting !== undefined && app.settings.get(setting) !== ''
}
