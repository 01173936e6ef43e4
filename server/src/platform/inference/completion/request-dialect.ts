// How a model wants to be asked. Upstreams disagree about two words of the dialect; what one taught us is remembered.
import { type Clock, toMs } from '../../../kernel/clock.ts'

export type Dialect = {
  readonly ceilingField: 'max_tokens' | 'max_completion_tokens'
  /** Whether it may be asked to say what it used. */
  readonly asksUsage: boolean
}

const PLAIN: Dialect = { ceilingField: 'max_tokens', asksUsage: true }
const REMEMBERED_MS = toMs({ hours: 24 })
const REMEMBERED_MAX = 256

const ABOUT_A_NUMBER =
  /too (?:large|big|high|long|many|small|low)|at (?:most|least)|maximum|minimum|exceed|range|(?:great|larg|high|small|low)er than|(?:less|more) than|between|up to|limit/i
const BEFORE =
  'unsupported|unrecogni[sz]ed|unknown|unexpected|deprecated|does(?: not|n.t) support|not (?:supported|permitted|allowed)'
const BEHIND =
  'unsupported|unrecogni[sz]ed|unknown|unexpected|deprecated|(?:not|no longer) (?:supported|recogni[sz]ed|known|permitted|allowed|accepted)|extra (?:input|field)'
/** A field and, near it, words that say it is not known. */
const unknown = (field: string): RegExp =>
  new RegExp(`(?:${BEFORE})[^.]{0,60}\\b(?:${field})\\b|\\b(?:${field})\\b[^.]{0,60}(?:${BEHIND})`, 'i')
const USAGE_UNKNOWN = unknown('stream_options|include_usage')
const CEILING_UNKNOWN = new RegExp(
  `${unknown('max_tokens').source}|use [^.]{0,10}\\bmax_completion_tokens\\b[^.]{0,10} instead`,
  'i',
)

const learnt = new Map<string, { readonly dialect: Dialect; readonly untilMs: number }>()

/** How this model of this upstream is asked. */
export function dialectOf(clock: Clock, baseUrl: string, model: string): Dialect {
  const known = learnt.get(`${baseUrl} ${model}`)
  return known && known.untilMs > clock.now().getTime() ? known.dialect : PLAIN
}

/**
 * What a refusal of the request teaches: another way to ask, or nothing. Only a word that the upstream does not know is
 * worth another one. Where it knows the word and dislikes the number, another word would only hide the ceiling from it.
 */
export function lessonOf(dialect: Dialect, refusal: string): Dialect | undefined {
  if (ABOUT_A_NUMBER.test(refusal)) return undefined
  if (dialect.asksUsage && USAGE_UNKNOWN.test(refusal)) return { ...dialect, asksUsage: false }
  if (dialect.ceilingField === 'max_tokens' && CEILING_UNKNOWN.test(refusal))
    return { ...dialect, ceilingField: 'max_completion_tokens' }
  return undefined
}

/** Remembers a way to ask that worked, for a day; the oldest is forgotten for it when there are too many. */
export function rememberDialect(clock: Clock, baseUrl: string, model: string, dialect: Dialect): void {
  const name = `${baseUrl} ${model}`
  learnt.delete(name)
  const [oldest] = learnt.keys()
  if (learnt.size >= REMEMBERED_MAX && oldest !== undefined) learnt.delete(oldest)
  learnt.set(name, { dialect, untilMs: clock.now().getTime() + REMEMBERED_MS })
}
