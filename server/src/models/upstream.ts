// The built-in provider: the model service of the settings.
import type { App } from '../platform/app.ts'
import type { Target } from '../platform/inference/inference.ts'
import { DEFAULT_PROVIDER_ID, type Provider } from './catalogue/catalogue.ts'
import { lastCharacters } from './key-hint.ts'
import { inferenceSettings } from './settings.ts'

const { upstream_base_url, upstream_api_key } = inferenceSettings.settings

export const DEFAULT_WEIGHT = 100
export const BUILT_IN_NAME = 'default'

/** Whether an upstream is configured. Without one the development model answers outside production. */
export const hasUpstream = (app: App): boolean => app.settings.get(upstream_base_url) !== ''

/** The configured upstream; null when there is none. */
export function upstreamTarget(app: App): Target | null {
  const baseUrl = app.settings.get(upstream_base_url).replace(/\/+$/, '')
  return baseUrl === '' ? null : { baseUrl, apiKey: app.settings.get(upstream_api_key) }
}

/** The provider of the settings, or the development model. Null when there is neither. */
export function builtInProvider(app: App): Provider | null {
  const upstream = upstreamTarget(app)
  const target = upstream ?? app.developmentModel
  if (!target) return null
  return {
    id: DEFAULT_PROVIDER_ID,
    name: BUILT_IN_NAME,
    wire: 'openai',
    baseUrl: upstream?.baseUrl ?? '',
    keyLast4: lastCharacters(upstream?.apiKey ?? ''),
    region: null,
    weight: DEFAULT_WEIGHT,
    enabled: true,
    target,
  }
}
