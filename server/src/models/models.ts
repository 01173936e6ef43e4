// The public API of models: the providers and the model catalogue.
export { inferenceSettings } from './settings.ts'
export { hasUpstream, upstreamTarget } from './upstream.ts'
