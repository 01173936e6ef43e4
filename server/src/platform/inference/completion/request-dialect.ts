// How a model wants to be asked. Upstreams disagree about two words of the dialect; what one taught us is remembered.
import { type Clock, toMs } from '../../../kernel/clock.ts'

export type Dialect = {
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  /** Whether it may be asked to say what it used. */
  readonly requestsUsage: boolean
}

const DEFAULT_DIALECT: Dialect = { maxTokensField: 'max_tokens', requestsUsage: true }
const CACHE_MS = toMs({ hours: 24 })
const CACHE_ENTRIES_MAX = 256

const VALUE_PROBLEM =
  /too (?:large|big|high|long|many|small|low)|at (?:most|least)|maximum|minimum|exceed|range|(?:great|larg|high|small|low)er than|(?:less|more) than|between|up to|limit/i
const WORDS_BEFORE_FIELD =
  'unsupported|unrecogni[sz]ed|unknown|unexpected|deprecated|does(?: not|n.t) support|not (?:supported|permitted|allowed)'
const WORDS_AFTER_FIELD =
  'unsupported|unrecogni[sz]ed|unknown|unexpected|deprecated|(?:not|no longer) (?:supported|recogni[sz]ed|known|permitted|allowed|accepted)|extra (?:input|field)'
/** A field and, near it, words that say it is not known. */
const unknownField = (field: string): RegExp =>
  new RegExp(
    `(?:${WORDS_BEFORE_FIELD})[^.]{0,60}\\b(?:${field})\\b|\\b(?:${field})\\b[^.]{0,60}(?:${WORDS_AFTER_FIELD})`,
    'i',
  )
const USAGE_UNKNOWN = unknownField('stream_options|include_usage')
const MAX_TOKENS_UNKNOWN = new RegExp(
  `${unknownField('max_tokens').source}|use [^.]{0,10}\\bmax_completion_tokens\\b[^.]{0,10} instead`,
  'i',
)

const knownDialects = new Map<string, { readonly dialect: Dialect; readonly untilMs: number }>()

/** How this model of this upstream is asked. */
export function getDialect(clock: Clock, baseUrl: string, model: string): Dialect {
  const known = knownDialects.get(`${baseUrl} ${model}`)
  return known && known.untilMs > clock.now().getTime() ? known.dialect : DEFAULT_DIALECT
}

/**
 * What a refusal of the request teaches: another way to ask, or nothing. Only a word that the upstream does not know is
 * worth another one. Where it knows the word and dislikes the number, another word would only hide the ceiling from it.
 */
export function adaptDialect(dialect: Dialect, refusal: string): Dialect | undefined {
  if (VALUE_PROBLEM.test(refusal)) return undefined
  if (dialect.requestsUsage && USAGE_UNKNOWN.test(refusal)) return { ...dialect, requestsUsage: false }
  if (dialect.maxTokensField === 'max_tokens' && MAX_TOKENS_UNKNOWN.test(refusal))
    return { ...dialect, maxTokensField: 'max_completion_tokens' }
  return undefined
}

/** Remembers a way to ask that worked, for a day; the oldest is forgotten for it when there are too many. */
export function rememberDialect(clock: Clock, baseUrl: string, model: string, dialect: Dialect): void {
  const name = `${baseUrl} ${model}`
  knownDialects.delete(name)
  const [oldest] = knownDialects.keys()
  if (knownDialects.size >= CACHE_ENTRIES_MAX && oldest !== undefined) knownDialects.delete(oldest)
  knownDialects.set(name, { dialect, untilMs: clock.now().getTime() + CACHE_MS })
}
