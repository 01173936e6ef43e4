// Request fields that differ between upstreams. The variant that worked is cached per model.
import { type Clock, toMs } from '../../../kernel/clock.ts'

export type Dialect = {
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  /** Whether the upstream accepts a request for usage in the stream. */
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
/** A field name next to words that mean it is not supported. */
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

/** The cached dialect of this model at this upstream. */
export function getDialect(clock: Clock, baseUrl: string, model: string): Dialect {
  const known = knownDialects.get(`${baseUrl} ${model}`)
  return known && known.untilMs > clock.now().getTime() ? known.dialect : DEFAULT_DIALECT
}

/**
 * The dialect to try after a rejected request; undefined when there is none. Only an unknown field name is replaced. If
 * the upstream knows the field and rejects its value, another name would only hide the limit from it.
 */
export function adaptDialect(dialect: Dialect, refusal: string): Dialect | undefined {
  if (VALUE_PROBLEM.test(refusal)) return undefined
  if (dialect.requestsUsage && USAGE_UNKNOWN.test(refusal)) return { ...dialect, requestsUsage: false }
  if (dialect.maxTokensField === 'max_tokens' && MAX_TOKENS_UNKNOWN.test(refusal))
    return { ...dialect, maxTokensField: 'max_completion_tokens' }
  return undefined
}

/** Caches a dialect that worked for a day. Evicts the oldest entry when the cache is full. */
export function rememberDialect(clock: Clock, baseUrl: string, model: string, dialect: Dialect): void {
  const name = `${baseUrl} ${model}`
  knownDialects.delete(name)
  const [oldest] = knownDialects.keys()
  if (knownDialects.size >= CACHE_ENTRIES_MAX && oldest !== undefined) knownDialects.delete(oldest)
  knownDialects.set(name, { dialect, untilMs: clock.now().getTime() + CACHE_MS })
}
