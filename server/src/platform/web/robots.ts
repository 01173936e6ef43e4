// What the owner of a site asks of those who read it by machine, remembered for an hour.
import robotsParser from 'robots-parser'
import { PageRefused } from './terms.ts'

/** What robots.txt said; `null` when there is none. A refusal stands for those that could not be asked. */
export type RobotsText = { readonly text: string | null } | { readonly refused: PageRefused }

export type Robots = {
  /** How long to leave between two requests; refuses where we are not wanted. */
  readonly admit: (url: URL, userAgent: string, load: () => Promise<RobotsText>) => Promise<number>
}

const KEPT_MS = 3_600_000
/** A site that could not say what it wants may be back soon. */
const KEPT_REFUSED_MS = 60_000
const ORIGINS_MAX = 500
const CHARACTERS_MAX = 4 * 1024 * 1024
const DELAY_SECONDS_MAX = 5
const LINES_MAX = 10_000
/** Wildcards cost the length of their lines times that of the path: about a tenth of a second. */
const MATCHING_MAX = 10_000_000

// The package is one function; its types speak of a module that has it as its default.
const parseRobots = robotsParser as unknown as (typeof robotsParser)['default']

type Parsed = ReturnType<typeof parseRobots>
type Known = { readonly until: number; readonly characters: number } & (
  | { readonly rules: Parsed; readonly wildcardCharacters: number }
  | { readonly refused: PageRefused }
)

export function createRobots(now: () => number): Robots {
  const known = new Map<string, Known>()
  const asked = new Map<string, Promise<Known>>()

  async function ask(origin: string, load: () => Promise<RobotsText>): Promise<Known> {
    const found = remembered(origin, await load(), now())
    known.set(origin, found)
    forgetOldest(known)
    return found
  }

  function knownAbout(origin: string, load: () => Promise<RobotsText>): Known | Promise<Known> {
    const before = known.get(origin)
    known.delete(origin)
    if (before && before.until > now()) {
      known.set(origin, before)
      return before
    }
    // Those who come while it is asked for wait for the same answer.
    const asking = asked.get(origin) ?? ask(origin, load).finally(() => asked.delete(origin))
    asked.set(origin, asking)
    return asking
  }

  return {
    admit: async (url, userAgent, load) => judge(await knownAbout(url.origin, load), url, userAgent),
  }
}

function judge(known: Known, { href }: URL, userAgent: string): number {
  // A new one each time: an error is thrown once.
  if ('refused' in known) throw new PageRefused(known.refused.reason, { cause: known.refused })
  const { rules, wildcardCharacters } = known
  const delaySeconds = rules.getCrawlDelay(userAgent) ?? 0
  if (wildcardCharacters * href.length > MATCHING_MAX || delaySeconds > DELAY_SECONDS_MAX)
    throw new PageRefused('robots')
  if (rules.isAllowed(href, userAgent) === false) throw new PageRefused('robots')
  return Math.max(0, delaySeconds) * 1_000
}

function remembered(origin: string, said: RobotsText, now: number): Known {
  if ('refused' in said) return { refused: said.refused, characters: 0, until: now + KEPT_REFUSED_MS }
  const lines = (said.text ?? '').split(/\r\n|\r|\n/, LINES_MAX)
  const wildcards = lines.filter((line) => line.includes('*'))
  const text = lines.join('\n')
  return {
    rules: parseRobots(`${origin}/robots.txt`, text),
    wildcardCharacters: wildcards.reduce((sum, { length }) => sum + length, 0),
    characters: text.length,
    until: now + KEPT_MS,
  }
}

function forgetOldest(known: Map<string, Known>): void {
  let characters = [...known.values()].reduce((sum, each) => sum + each.characters, 0)
  for (const [origin, each] of known) {
    if (known.size <= ORIGINS_MAX && characters <= CHARACTERS_MAX) return
    known.delete(origin)
    characters -= each.characters
  }
}
