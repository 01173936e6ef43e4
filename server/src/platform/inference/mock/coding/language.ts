// What a path says about a file, and how the code in it is set.
import type { Language } from '../known/known.ts'

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map(
  Object.entries<Language>({
    js: 'js',
    mjs: 'js',
    cjs: 'js',
    jsx: 'js',
    ts: 'ts',
    mts: 'ts',
    tsx: 'ts',
    py: 'py',
    go: 'go',
    php: 'php',
    java: 'java',
  }),
)

const SPOKEN: readonly (readonly [RegExp, Language])[] = [
  [/\btypescript\b|\bts\b/i, 'ts'],
  [/\bjavascript\b|\bnode(\.?js)?\b|\bjs\b|\bexpress\b/i, 'js'],
  [/\bpython\b|\bflask\b|\bfastapi\b|\bpytest\b/i, 'py'],
  [/\bgolang\b|\bin go\b|\bgo (function|func|file|test|code|program)\b/i, 'go'],
  [/\bphp\b/i, 'php'],
  [/\bjava\b/i, 'java'],
]

export const languageOf = (path: string): Language | undefined => BY_EXTENSION.get(extensionOf(path))

export const extensionOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

export const isTestPath = (path: string): boolean =>
  /(^|\/)(tests?|__tests__)\/|[._](test|spec)\.\w+$|(^|\/)test_[^/]*\.py$|_test\.(go|py)$|Test\.(java|php)$/.test(
    path,
  )

export const spokenLanguage = (words: string): Language | undefined =>
  SPOKEN.find(([pattern]) => pattern.test(words))?.[1]

/** The language most of the given files are in. */
export function mainLanguage(paths: Iterable<string>): Language | undefined {
  const counts = new Map<Language, number>()
  for (const path of paths) {
    const language = languageOf(path)
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** Code of ours, set the way the file is that it goes into. */
export function inStyleOf(file: string, code: string, language: Language): string {
  if (language === 'go' || language === 'php' || language === 'java') return code
  const unit = indentOf(file) ?? (language === 'py' ? '    ' : '  ')
  const own = language === 'py' ? 4 : 2
  const lines = code.split('\n').map((line) => {
    const depth = (/^ */.exec(line)?.[0].length ?? 0) / own
    return Number.isInteger(depth) ? unit.repeat(depth) + line.trimStart() : line
  })
  if (language === 'py') return lines.join('\n')
  return lines
    .map((line) => withQuotesOf(file, hasSemicolons(file) ? line : line.replace(/;$/, '')))
    .join('\n')
}

/** One step of indentation, where the file has any. */
export const indentOf = (file: string): string | undefined =>
  /^(\t| {2,8})(?=[^\s*])/m.exec(file.slice(0, 20_000))?.[1]

/** A file without any code has them, as most do. */
export function hasSemicolons(file: string): boolean {
  const statements = file.slice(0, 20_000).match(/^.*[\w)\]'"](;?)$/gm) ?? []
  return statements.length === 0 || statements.some((line) => line.endsWith(';'))
}

function withQuotesOf(file: string, line: string): string {
  const head = file.slice(0, 20_000)
  const isDouble = (head.match(/"/g)?.length ?? 0) > (head.match(/'/g)?.length ?? 0)
  // A line that has both is left alone: pairing them takes more than counting.
  return isDouble && !line.includes('"') ? line.replaceAll(/'([^'\\]*)'/g, '"$1"') : line
}
