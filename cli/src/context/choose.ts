// Guesses which files of a repository a prompt is about, if none are named: the manifest, files named in the prompt, files
// with its words, and recently changed files. Pure and deterministic.

export type Candidate = {
  readonly path: string
  readonly content: string
  /** Has uncommitted changes. */
  readonly isDirty: boolean
  /** How many commits ago it changed, among the newest; null when not in those. */
  readonly commitsAgo: number | null
}
export type Budget = { readonly files: number; readonly characters: number }

const MANIFEST =
  /^(package\.json|pyproject\.toml|requirements\.txt|go\.mod|cargo\.toml|composer\.json|pom\.xml|build\.gradle(\.kts)?|gemfile|mix\.exs|pubspec\.yaml|makefile)$/i
const README = /^readme(\.\w+)?$/i
/** Generated files: long and not edited by hand. */
const GENERATED =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|composer\.lock|cargo\.lock|poetry\.lock|gemfile\.lock|go\.sum)$|\.min\.(js|css)$|\.(map|snap|lock|svg|csv|tsv)$/i
const COMMON = new Set(
  'the and for with that this from into when then than they them there here what which how why are was were will would should could can not has have had does did make makes made add adds change changes use uses using please code file files function test tests fix fixes'.split(
    ' ',
  ),
)
/** A word in more files than this is not specific. */
const WORDS_MAX = 40

export const isGenerated = (path: string): boolean => GENERATED.test(path)

/** The best matches first, up to the budget. */
export function choose(prompt: string, candidates: readonly Candidate[], budget: Budget): Candidate[] {
  const words = wordsOf(prompt)
  const texts = candidates.map(({ content }) => content.toLowerCase())
  const weights = words.map((word) =>
    rarity(texts.filter((text) => text.includes(word)).length, texts.length),
  )
  const scored = candidates.map((candidate, index) => ({
    candidate,
    score: scoreOf(candidate, texts[index] ?? '', words, weights),
  }))
  scored.sort((a, b) => b.score - a.score || (a.candidate.path < b.candidate.path ? -1 : 1))
  const chosen: Candidate[] = []
  let characters = 0
  for (const { candidate, score } of scored) {
    if (score <= 0 || chosen.length >= budget.files) break
    // A long file must not block shorter ones that fit.
    if (characters + candidate.content.length > budget.characters) continue
    characters += candidate.content.length
    chosen.push(candidate)
  }
  return chosen
}

function scoreOf(
  { path, isDirty, commitsAgo }: Candidate,
  text: string,
  words: readonly string[],
  weights: readonly number[],
): number {
  const names = new Set(partsOf(path))
  let score = isDirty ? 2 : 0
  if (commitsAgo !== null) score += 1 / (1 + commitsAgo)
  if (!path.includes('/')) score += MANIFEST.test(path) ? 3 : README.test(path) ? 1.5 : 0
  for (const [index, word] of words.entries()) {
    const weight = weights[index] ?? 0
    if (names.has(word)) score += 3 * weight
    if (text.includes(word)) score += weight
  }
  return score
}

/** Rare words weigh most; words in every file weigh nothing. */
const rarity = (files: number, all: number): number => (files === 0 ? 1 : Math.log2((all + 1) / files) / 3)

/** The words of a prompt, with identifiers split: `parseLine` also gives `parse` and `line`. */
function wordsOf(prompt: string): string[] {
  const whole = prompt.match(/[\p{L}\p{N}_]{3,}/gu) ?? []
  const words = new Set<string>()
  for (const word of whole) for (const part of [word.toLowerCase(), ...partsOf(word)]) words.add(part)
  return [...words].filter((word) => word.length >= 3 && !COMMON.has(word)).slice(0, WORDS_MAX)
}

const partsOf = (name: string): string[] =>
  name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
