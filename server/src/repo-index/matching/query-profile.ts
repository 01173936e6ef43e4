// The content of a query: its terms, the names it contains, and whether it is about tests or describes a change.
import { tokenize } from '../ranking/tokenize.ts'

export type QueryProfile = {
  readonly text: string
  /** The terms in order, without repetitions. */
  readonly terms: readonly string[]
  /** The rarity of each term in the repository. */
  readonly rarities: readonly number[]
  readonly isAboutTests: boolean
  /** The subject of a commit. It asks for files, and a second chunk of a file adds little. */
  readonly isAboutChange: boolean
  /** Whether a symbol contains an identifier of the query. */
  isNamed(symbol: string): boolean
  /** The first term, if it is among the first two words. */
  readonly verb: string | undefined
  /** From 0 to 1: how exactly a path has the area of a change. */
  areaMatch(path: string): number
  /** Whether the query contains the name of a file. */
  isPathNamed(path: string): boolean
}

const ABOUT_TESTS = /\b(tests?|testing|spec|fixtures?|mocks?|examples?|benchmarks?)\b/i
/** `area: add a thing` or a first word that describes a change. Questions and documentation rarely start like this. */
const ABOUT_CHANGE =
  /^[\w./-]{1,40}(\([^)]*\))?!?: \S|^(fix|fixes|fixed|bugfix|refactor|bump|revert|clean ?up|rename|added|removed|corrected|changed|updated|moved|renamed|improved|replaced|don't|do not|minor|improve|simplify|deprecate)\b/i
const NAME = /[\p{L}_$][\p{L}\p{N}_$]{2,}/gu

/** `rarityOf`: the weight of a term; 0 if no chunk contains it. */
export function profileQuery(text: string, rarityOf: (term: string) => number): QueryProfile {
  const terms = [...new Set(tokenize(text))]
  const names = new Set([...text.matchAll(NAME)].map(([name]) => name))
  const lowerNames = new Set([...names].map((name) => name.toLowerCase()))
  const lower = text.toLowerCase()
  return {
    text,
    terms,
    rarities: terms.map(rarityOf),
    isAboutTests: ABOUT_TESTS.test(text),
    isAboutChange: ABOUT_CHANGE.test(text),
    verb: tokenize(text.trim().split(/\s+/, 2).join(' '))[0],
    areaMatch: matchAreas(areasOf(text)),
    isNamed: (symbol) =>
      symbol
        .split(/[^\p{L}\p{N}_$]+/u)
        .some(
          (name) =>
            looksLikeIdentifier(name) &&
            (ALL_CAPITALS.test(name) ? names.has(name) : lowerNames.has(name.toLowerCase())),
        ),
    isPathNamed: (path) => hasWhole(lower, path.slice(path.lastIndexOf('/') + 1).toLowerCase()),
  }
}

/** `get` can be a name or a word. Camel case, underscores or digits show that a name is meant. */
const looksLikeIdentifier = (name: string): boolean =>
  name.length > 3 && /[a-z][A-Z]|_|[A-Z]{2}|\d/.test(name)

/** The constant `CATEGORY` is only meant by a query that writes it in capitals. */
const ALL_CAPITALS = /^[A-Z]+$/

/** The name of a file without an ending can be a part of a word. */
function hasWhole(text: string, name: string): boolean {
  const isInWord = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}_]/u.test(character)
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (!isInWord(text[at - 1]) && !isInWord(text[at + name.length])) return true
  return false
}

const AREA = /^([\w./,-]{1,40})(?:\(([^)]{1,40})\))?!?: \S/
const CHANGE_KIND =
  /^(feat|feature|fix|bugfix|docs?|chore|tests?|refactor|perf|style|build|ci|maint|revert|wip|release)$/

/** `stat, tail: add a thing` has the areas stat and tail; `fix(router): …` has router. */
function areasOf(text: string): string[] {
  const [, before = '', scope = ''] = AREA.exec(text) ?? []
  return `${before},${scope}`
    .toLowerCase()
    .split(/[,/]/)
    .map((part) => part.trim())
    .filter((part) => part.length > 1 && !CHANGE_KIND.test(part))
}

const FOLDER_MATCH = 0.6
const WORD_MATCH = 0.3

function matchAreas(areas: readonly string[]): (path: string) => number {
  if (areas.length === 0) return () => 0
  return (path) => {
    const folders = path.toLowerCase().split('/')
    const file = (folders.pop() ?? '').replace(/\..*$/, '')
    return Math.max(
      ...areas.map((area) => {
        if (file === area) return 1
        if (folders.includes(area)) return FOLDER_MATCH
        return file.split(/[-_.]/).includes(area) ? WORD_MATCH : 0
      }),
    )
  }
}
