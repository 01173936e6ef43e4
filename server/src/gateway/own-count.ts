// What a call used: as the upstream says where that can be believed, otherwise as we count.
import type { Turn, TurnUsage } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import { countTokens } from '../platform/inference/inference.ts'
import { isBelievable, readUsage } from '../platform/inference/usage.ts'

type Fields = Record<string, unknown>
export type Counted = TurnUsage & { readonly isOurs: boolean }

export type Evidence = {
  /** The answer, or the event of it, that says what was used; null when none did. */
  readonly said: unknown
  /** What was asked, for counting it. */
  readonly asked: Fields
  readonly requestBytes: number
  readonly outputTokens: () => number
}

const PER_MESSAGE = 4
/** What models make of a picture, more or less: its bytes are not read as text. */
const PER_PICTURE = 1_000

export function countUse(
  app: App,
  turn: Turn,
  { said, asked, requestBytes, outputTokens }: Evidence,
): Counted {
  const reported = readUsage(said)
  const bounds = { requestBytes, maxOutputTokens: turn.outputCeiling }
  if (reported && isBelievable(reported, bounds) && !isNothingForSomething(turn, reported))
    return { ...reported, isOurs: false }
  if (reported) app.log.warn({ reported }, 'an upstream says unbelievable things about usage')
  return { ...ownCount(asked, outputTokens()), isOurs: true }
}

/** Only what can write nothing has written nothing. */
const isNothingForSomething = ({ outputCeiling }: Turn, { outputTokens }: TurnUsage): boolean =>
  outputTokens === 0 && outputCeiling > 0

export const ownCount = (asked: Fields, outputTokens: number): TurnUsage => ({
  promptTokens: promptTokensIn(asked),
  outputTokens,
})

/** The texts of the messages and the tools, without the words that only hold them together. */
export function promptTokensIn({ messages, input, instructions, tools }: Fields): number {
  const texts: string[] = []
  const items = [messages, input].flat().filter((each) => each !== undefined)
  let pictures = 0
  const walk = (value: unknown): void => {
    if (typeof value === 'string' && value.startsWith('data:')) pictures++
    else if (typeof value === 'string') texts.push(value)
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(walk)
  }
  walk([instructions, items])
  if (Array.isArray(tools) && tools.length > 0) texts.push(JSON.stringify(tools))
  return countTokens(texts.join('\n')) + items.length * PER_MESSAGE + pictures * PER_PICTURE
}

export const withoutMark = ({ isOurs: _, ...used }: Counted): TurnUsage => used
