// What the owner of a site asks of those who read it by machine, remembered for an hour.
import robotsParser from 'robots-parser'
import { PageRefused } from './page.ts'
import { selectRules } from './robots-rules.ts'

/** What robots.txt said; `null` when there is none. A refusal stands for those that could not be asked. */
export type RobotsText = { readonly text: string | null } | { readonly refused: PageRefused }

export type RobotsCache = {
  /** How long to leave between two requests; refuses where we are not wanted. */
  readonly admit: (url: URL, userAgent: string, load: () => Promise<RobotsText>) => Promise<number>
}

const KEPT_MS = 3_600_000
/** A site that could not say what it wants may be back soon. */
const KEPT_REFUSED_MS = 60_000
const ORIGINS_MAX = 500
const KEPT_BYTES_MAX = 8 * 1024 * 1024
/** What a rule takes beside its letters, once it is parsed. */
const RULE_BYTES = 100
const DELAY_SECONDS_MAX = 5
/** A rule costs the length of the path, and one with wildcards that for each of its letters: about a tenth of a second. */
const MATCHING_MAX = 10_000_000

// The package is one function; its types speak of a module that has it as its default.
const parseRobots = robotsParser as unknown as (typeof robotsParser)['default']

type ParsedRobots = ReturnType<typeof parseRobots>
type CachedRules = { readonly until: number; readonly bytes: number } & (
  | { readonly rules: ParsedRobots; readonly costPerCharacter: number }
  | { readonly refused: PageRefused }
)
type RobotsRequest = {
  readonly url: URL
  readonly userAgent: string
  readonly load: () => Promise<RobotsText>
}

export function createRobotsCache(now: () => number): RobotsCache {
  const known = new Map<string, CachedRules>()
  const asked = new Map<string, Promise<CachedRules>>()

  async function ask(key: string, { url, userAgent, load }: RobotsRequest): Promise<CachedRules> {
    const found = toCachedRules(url.origin, userAgent, await load(), now())
    known.set(key, found)
    evictOldest(known)
    return found
  }

  function knownAbout(asking: RobotsRequest): CachedRules | Promise<CachedRules> {
    // What is kept is what was said to that name.
    const key = `${asking.url.origin} ${asking.userAgent}`
    const before = known.get(key)
    known.delete(key)
    if (before && before.until > now()) {
      known.set(key, before)
      return before
    }
    // Those who come while it is asked for wait for the same answer.
    const answer = asked.get(key) ?? ask(key, asking).finally(() => asked.delete(key))
    asked.set(key, answer)
    return answer
  }

  return {
    admit: async (url, userAgent, load) => checkAllowed(await knownAbout({ url, userAgent, load }), url),
  }
}

function checkAllowed(known: CachedRules, { href }: URL): number {
  // A new one each time: an error is thrown once.
  if ('refused' in known) throw new PageRefused(known.refused.reason, { cause: known.refused })
  const { rules, costPerCharacter } = known
  const delaySeconds = rules.getCrawlDelay() ?? 0
  if (costPerCharacter * href.length > MATCHING_MAX || delaySeconds > DELAY_SECONDS_MAX)
    throw new PageRefused('robots')
  if (rules.isAllowed(href) === false) throw new PageRefused('robots')
  return Math.max(0, delaySeconds) * 1_000
}

function toCachedRules(origin: string, userAgent: string, said: RobotsText, now: number): CachedRules {
  if ('refused' in said) return { refused: said.refused, bytes: 0, until: now + KEPT_REFUSED_MS }
  const { text, count, wildcardCharacters } = selectRules(userAgent, said.text ?? '')
  return {
    rules: parseRobots(`${origin}/robots.txt`, text),
    costPerCharacter: count + wildcardCharacters,
    bytes: text.length + count * RULE_BYTES,
    until: now + KEPT_MS,
  }
}

function evictOldest(known: Map<string, CachedRules>): void {
  let bytes = [...known.values()].reduce((sum, each) => sum + each.bytes, 0)
  for (const [key, each] of known) {
    if (known.size <= ORIGINS_MAX && bytes <= KEPT_BYTES_MAX) return
    known.delete(key)
    bytes -= each.bytes
  }
}
