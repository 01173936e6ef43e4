// A call of the OpenAI-compatible API: the model that serves it, and its limits. Metering holds and settles the money.
import type { MeteredCall, ModelRoute, Turn } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import { UpstreamFailed } from '../platform/inference/inference.ts'
import type { Media } from './upstream/media.ts'

export type Call = MeteredCall & {
  readonly media: Media
  /** The number of requested answers. The output ceiling covers all of them. */
  readonly answers: number
}

/** The output ceiling of a request that sets none. */
export const DEFAULT_OUTPUT = 8_192
export const OUTPUT_MIN = 16
/** The highest ceiling of one call: all of it is held, and the wallet pays for other calls too. */
export const OUTPUT_MAX = 32_768

/**
 * The output ceiling: at most the requested one, the maximum, and the rest of the context window. The prompt estimate is an
 * upper bound, so it never lowers the ceiling below the default.
 */
export function ceilingFor(
  { contextTokens: window, outputTokens }: ModelRoute,
  asked: number | null | undefined,
  promptTokens: number,
): number {
  return Math.min(
    asked ?? DEFAULT_OUTPUT,
    OUTPUT_MAX,
    outputTokens ?? OUTPUT_MAX,
    window,
    Math.max(window - promptTokens, DEFAULT_OUTPUT),
  )
}

/** The ceiling of one of the requested answers. */
export const ceilingPerAnswer = ({ answers }: Call, { outputCeiling }: Turn): number =>
  Math.floor(outputCeiling / answers)

/** Where the residency policy allows one model only, an answer of any other model is withheld. */
export function requirePinnedModel(
  app: App,
  { route: { isModelPinned, model } }: Call,
  answered: unknown,
): void {
  if (!isModelPinned || typeof answered !== 'string') return
  if (answered === model || answered.startsWith(`${model}-`)) return
  app.log.error({ asked: model, answered }, 'gateway.residency.wrong_model')
  throw new UpstreamFailed('failed', `model ${answered} answered instead of ${model}`)
}
