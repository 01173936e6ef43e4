// Checks robots.txt before a page is fetched. The rules of an origin are cached for an hour.
import robotsParser from 'robots-parser'
import { PageRefused } from './page.ts'

/** The text of robots.txt; `null` when there is none. `refused` means that it could not be fetched. */
export type RobotsText = { readonly text: string | null } | { readonly refused: PageRefused }

export type RobotsCache = {
  /** The delay between two requests in milliseconds. Throws when robots.txt forbids the page. */
  readonly admit: (url: URL, userAgent: string, load: () => Promise<RobotsText>) => Promise<number>
}

const CACHE_MS = 3_600_000
/** Shorter, because the site may be available again soon. */
const CACHE_REFUSED_MS = 60_000
const ORIGINS_MAX = 500
const CACHE_BYTES_MAX = 8 * 1024 * 1024
/** The memory of a parsed rule besides its characters. */
const RULE_BYTES = 100
const DELAY_SECONDS_MAX = 5
/**
 * The limit on matching cost, about a tenth of a second of CPU time. A rule costs the length of the URL. A rule with
 * wildcards costs the length of the URL times its length.
 */
const MATCHING_MAX = 10_000_000

// The package exports one function, but its types declare a default export.
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
  const cache = new Map<string, CachedRules>()
  const pending = new Map<string, Promise<CachedRules>>()

  async function loadRules(key: string, { url, userAgent, load }: RobotsRequest): Promise<CachedRules> {
    const rules = toCachedRules(url.origin, userAgent, await load(), now())
    cache.set(key, rules)
    evictOldest(cache)
    return rules
  }

  function getRules(request: RobotsRequest): CachedRules | Promise<CachedRules> {
    // The rules depend on the user agent.
    const key = `${request.url.origin} ${request.userAgent}`
    const cached = cache.get(key)
    cache.delete(key)
    if (cached && cached.until > now()) {
      cache.set(key, cached)
      return cached
    }
    // Concurrent requests share one download.
    const rules = pending.get(key) ?? loadRules(key, request).finally(() => pending.delete(key))
    pending.set(key, rules)
    return rules
  }

  return {
    admit: async (url, userAgent, load) => checkAllowed(await getRules({ url, userAgent, load }), url),
  }
}

function checkAllowed(cached: CachedRules, { href }: URL): number {
  // A new error each time, so that its stack belongs to this request.
  if ('refused' in cached) throw new PageRefused(cached.refused.reason, { cause: cached.refused })
  const { rules, costPerCharacter } = cached
  const delaySeconds = rules.getCrawlDelay() ?? 0
  if (costPerCharacter * href.length > MATCHING_MAX || delaySeconds > DELAY_SECONDS_MAX)
    throw new PageRefused('robots')
  if (rules.isAllowed(href) === false) throw new PageRefused('robots')
  return Math.max(0, delaySeconds) * 1_000
}

function toCachedRules(origin: string, userAgent: string, loaded: RobotsText, now: number): CachedRules {
  if ('refused' in loaded) return { refused: loaded.refused, bytes: 0, until: now + CACHE_REFUSED_MS }
  const { text, count, wildcardCharacters } = selectRules(userAgent, loaded.text ?? '')
  return {
    rules: parseRobots(`${origin}/robots.txt`, text),
    costPerCharacter: count + wildcardCharacters,
    bytes: text.length + count * RULE_BYTES,
    until: now + CACHE_MS,
  }
}

function evictOldest(cache: Map<string, CachedRules>): void {
  let bytes = [...cache.values()].reduce((sum, each) => sum + each.bytes, 0)
  for (const [key, each] of cache) {
    if (cache.size <= ORIGINS_MAX && bytes <= CACHE_BYTES_MAX) return
    cache.delete(key)
    bytes -= each.bytes
  }
}

type ApplicableRules = {
  /** A robots.txt with one group for all agents that contains the rules for us. */
  readonly text: string
  readonly count: number
  /** Total characters of the rules with wildcards. */
  readonly wildcardCharacters: number
}

const RULES_MAX = 5_000
const CHARACTERS_MAX = 256 * 1024
const AGENT_FIELD = 'user-agent'
const RULE_FIELDS: ReadonlySet<string> = new Set(['allow', 'disallow', 'crawl-delay'])

/**
 * The rules for our agent name or, if there are none, those for all agents. The limits keep the first rules. Only these
 * rules reach the parser, because it stores each rule once per agent name, and a group may name hundreds of agents.
 */
export function selectRules(userAgent: string, text: string): ApplicableRules {
  const fields = parseFields(text)
  const named = rulesOf(agentName(userAgent), fields)
  const rules = named.length > 0 ? named : rulesOf('*', fields)
  const wildcardRules = rules.filter((rule) => rule.includes('*'))
  return {
    text: [`${AGENT_FIELD}: *`, ...rules].join('\n'),
    count: rules.length,
    wildcardCharacters: wildcardRules.reduce((sum, { length }) => sum + length, 0),
  }
}

type Field = { readonly field: string; readonly value: string }

function rulesOf(name: string, fields: readonly Field[]): string[] {
  const rules: string[] = []
  let characters = 0
  let isOurGroup = false
  let isAgentLine = false
  for (const { field, value } of fields) {
    // Consecutive agent lines share the rules that follow them.
    if (field === AGENT_FIELD) isOurGroup = (isAgentLine && isOurGroup) || agentName(value) === name
    isAgentLine = field === AGENT_FIELD
    if (!isOurGroup || !RULE_FIELDS.has(field)) continue
    const rule = `${field}: ${encode(value)}`
    characters += rule.length
    if (rules.length === RULES_MAX || characters > CHARACTERS_MAX) break
    rules.push(rule)
  }
  return rules
}

/** Lines with a name before the first colon, without comments. */
function parseFields(text: string): Field[] {
  const fields: Field[] = []
  for (const line of text.split(/[\r\n]+/)) {
    const comment = line.indexOf('#')
    const content = comment === -1 ? line : line.slice(0, comment)
    const colon = content.indexOf(':')
    const field = content.slice(0, Math.max(0, colon)).trim().toLowerCase()
    if (field !== '') fields.push({ field, value: content.slice(colon + 1).trim() })
  }
  return fields
}

/** The agent name in lower case, without its version. */
const agentName = (agent: string): string => (agent.split('/', 1)[0] ?? '').trim().toLowerCase()

// The same encoding as the parser, so that the limits count the stored characters.
const encode = (value: string): string => encodeURI(value.toWellFormed()).replaceAll('%25', '%')
