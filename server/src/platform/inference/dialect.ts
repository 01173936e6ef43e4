// How a model wants to be asked. Upstreams disagree about two words of the dialect; what one taught us is remembered.
import { type Clock, toMs } from '../../kernel/clock.ts'

export type Dialect = {
  readonly ceilingField: 'max_tokens' | 'max_completion_tokens'
  /** Whether it may be asked to say what it used. */
  readonly asksUsage: boolean
}

const PLAIN: Dialect = { ceilingField: 'max_tokens', asksUsage: true }
const REMEMBERED_MS = toMs({ hours: 24 })
const REMEMBERED_MAX = 256

const learnt = new Map<string, { readonly dialect: Dialect; readonly untilMs: number }>()

/** How this model of this upstream is asked. */
export function dialectOf(clock: Clock, baseUrl: string, model: string): Dialect {
  const known = learnt.get(`${baseUrl} ${model}`)
  return known && known.untilMs > clock.now().getTime() ? known.dialect : PLAIN
}

/** What a refusal of the request teaches: another way to ask, or nothing. */
export function lessonOf(dialect: Dialect, refusal: string): Dialect | undefined {
  if (dialect.asksUsage && /stream_options|include_usage/.test(refusal))
    return { ...dialect, asksUsage: false }
  if (dialect.ceilingField === 'max_tokens' && /max_(?:completion_)?tokens/.test(refusal))
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
