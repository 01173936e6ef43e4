// Texts that every match of a regular expression contains. A file without them needs no closer look.
import { mayOverlapPlaceholder } from '../secrets/placeholders.ts'

const LITERAL_MIN = 3
/** One literal for each alternative; undefined if there is an alternative without one. */
export function requiredLiterals(source: string): string[] | undefined {
  const alternatives = readAlternatives(source)
  const literals = alternatives?.map((runs) =>
    runs.filter((run) => !mayOverlapPlaceholder(run)).reduce((a, b) => (b.length > a.length ? b : a), ''),
  )
  return literals?.every(({ length }) => length >= LITERAL_MIN) ? literals : undefined
}

const TOKEN =
  /\\(?:[pPu]\{[^}]*\}|k<[^>]*>|x[0-9a-f]{2}|u[0-9a-f]{4}|c[A-Za-z]|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\{\d+(?:,\d*)?\}\??|[*+?]\??|[\s\S]/gy

/** The runs of literal characters outside of groups, for each alternative. Undefined for an unbalanced expression. */
function readAlternatives(source: string): string[][] | undefined {
  const alternatives: string[][] = [[]]
  let run = ''
  let depth = 0
  const end = () => {
    if (run !== '') alternatives.at(-1)?.push(run)
    run = ''
  }
  for (const [token] of source.matchAll(TOKEN)) {
    if (token === ')' && --depth < 0) return undefined
    const isOutside = depth === 0 && token !== ')'
    if (token === '(') depth += 1
    const literal = isOutside ? literalOf(token) : undefined
    if (literal !== undefined) run += literal
    else {
      // An optional character is not required. A repeated one is, but the next may not follow it directly.
      if (isOutside && /^[*?{]/.test(token)) run = run.slice(0, -1)
      end()
    }
    if (isOutside && token === '|') alternatives.push([])
  }
  end()
  return depth === 0 ? alternatives : undefined
}

/** The character that a token stands for; undefined for everything that is not one character. */
function literalOf(token: string): string | undefined {
  if (/^\\[^A-Za-z0-9\n]$/.test(token)) return token[1]
  return token.length === 1 && !/[\\()[\]{}.*+?^$|\n]/.test(token) ? token : undefined
}
