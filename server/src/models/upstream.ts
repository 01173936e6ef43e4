// The built-in provider: the model service of the settings.
import type { App } from '../platform/app.ts'
import type { Target } from '../platform/inference/inference.ts'
import { inferenceSettings } from './settings.ts'

const { upstream_base_url, upstream_api_key } = inferenceSettings.settings

/** Whether an upstream is configured. Without one the development model answers outside production. */
export const hasUpstream = (app: App): boolean => app.settings.get(upstream_base_url) !== ''

/** The configured upstream; null when there is none. */
export function upstreamTarget(app: App): Target | null {
  const baseUrl = app.settings.get(upstream_base_url).replace(/\/+$/, '')
  return baseUrl === '' ? null : { baseUrl, apiKey: app.settings.get(upstream_api_key) }
}
