// The usage of a call: as reported by the upstream if plausible, otherwise by our own count.
import type { Turn, TurnUsage } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import {
  countTokens,
  isPlausibleUsage,
  type ReportedUsage,
  readUsage,
} from '../../platform/inference/inference.ts'
import type { Call } from '../gateway.ts'
import type { Media } from './media.ts'

type Fields = Record<string, unknown>
export type CountedUsage = TurnUsage & { readonly isOurs: boolean }

export type UsageEvidence = {
  /** As the provider reported it; undefined without a report. */
  readonly reported: ReportedUsage | undefined
  /** Our own count of the prompt. */
  readonly promptTokens: () => number
  readonly media: Pick<Media, 'characters' | 'tokens' | 'hasFiles'>
  readonly requestBytes: number
  readonly outputTokens: () => number
}

const PER_MESSAGE = 4

/** The evidence of a call whose answer has OpenAI's format: the answer or event with the usage, and the request. */
export const evidenceFrom = (
  said: unknown,
  asked: Fields,
  media: Media,
): Pick<UsageEvidence, 'reported' | 'promptTokens' | 'media'> => ({
  reported: readUsage(said),
  promptTokens: () => promptTokensIn(asked, media),
  media,
})

export function countUsage(
  app: App,
  { route: { contextTokens } }: Call,
  turn: Turn,
  { reported, promptTokens, media, requestBytes, outputTokens }: UsageEvidence,
): CountedUsage {
  const believableBytes = requestBytes - media.characters + media.tokens
  // The tokens of a file do not follow from its bytes. The charge is limited by the hold in any case.
  const promptMax = media.hasFiles ? Math.max(believableBytes, contextTokens) : believableBytes
  const bounds = { requestBytes: promptMax, maxOutputTokens: turn.outputCeiling }
  if (reported && isPlausibleUsage(reported, bounds) && !isMissingOutput(turn, reported))
    return { ...reported, isOurs: false }
  if (reported) app.log.warn({ reported }, 'gateway.usage.implausible')
  // Output beyond the ceiling is not charged.
  const written = Math.min(outputTokens(), turn.outputCeiling)
  return { promptTokens: promptTokens(), outputTokens: written, isOurs: true }
}

/** Zero output tokens are implausible unless the ceiling is zero. */
const isMissingOutput = ({ outputCeiling }: Turn, { outputTokens }: TurnUsage): boolean =>
  outputTokens === 0 && outputCeiling > 0

/** Counts the text of messages and tools without their JSON structure, and media by their allowance. */
function promptTokensIn({ messages, input, instructions, tools }: Fields, media: Media): number {
  const texts: string[] = []
  const items = [messages, input].flat().filter((each) => each !== undefined)
  const apart = new Set(media.texts)
  const walk = (value: unknown): void => {
    if (typeof value === 'string') {
      if (!apart.has(value)) texts.push(value)
    } else if (value !== null && typeof value === 'object') Object.values(value).forEach(walk)
  }
  walk([instructions, items])
  if (Array.isArray(tools) && tools.length > 0) texts.push(JSON.stringify(tools))
  return countTokens(texts.join('\n')) + items.length * PER_MESSAGE + media.tokens
}

export const toTurnUsage = ({ isOurs: _, ...used }: CountedUsage): TurnUsage => used
