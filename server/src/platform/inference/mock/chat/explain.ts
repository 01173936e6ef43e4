// Outlines code that somebody pasted: its language, its functions, and lines worth a look.
import { functionNames } from '../coding/functions.ts'
import type { Language } from '../known/known.ts'

const NOTABLE: readonly (readonly [RegExp, string])[] = [
  [/\bawait\b/, 'waits for something asynchronous'],
  [/\btry\b\s*[:{]/, 'expects that something may fail'],
  [/\b(fetch|axios|requests\.(get|post)|http\.Get)\b/, 'talks to the network'],
  [/\b(select|insert|update|delete)\b.+\b(from|into|set)\b/i, 'speaks SQL'],
  [/\beval\(|\bexec\(/, 'runs text as code, which is dangerous with text from outside'],
  [/\b(password|secret|api_?key|token)\s*[:=]\s*['"]\w/i, 'looks like a secret written into the code'],
  [/\b(for|while)\b/, 'repeats something'],
  [/\bthrow\b|\braise\b/, 'refuses with an error'],
  [/\bparseFloat\b|\bfloat\(/, 'uses floating point; money is safer in whole minor units'],
]

export function explainCode(asked: string): string | undefined {
  const fenced = /```([\w+-]*)\n([\s\S]*?)(?:```|$)/.exec(asked)
  const code = fenced?.[2] ?? (looksLikeCode(asked) ? asked : undefined)
  if (code === undefined || code.trim() === '') return undefined
  return outlineOf(code, languageOfTag(fenced?.[1] ?? ''))
}

/** In a few sentences. The language is guessed where nobody says it. */
export function outlineOf(code: string, known: Language | undefined): string {
  const language = known ?? guess(code)
  const names = functionNames(code, language)
  const lines = code.trimEnd().split('\n')
  const notable = NOTABLE.flatMap(([pattern, meaning]) => {
    const at = lines.findIndex((line) => pattern.test(line.slice(0, 500)))
    return at < 0
      ? []
      : [`- Line ${at + 1} ${meaning}: \`${(lines[at] ?? '').trim().slice(0, 100).replaceAll('`', "'")}\``]
  })
  return [
    `This is ${lines.length === 1 ? 'one line' : `${lines.length} lines`} of ${TITLES[language]}.`,
    names.length > 0
      ? `It defines ${names
          .slice(0, 12)
          .map((name) => `\`${name}\``)
          .join(', ')}.`
      : 'It defines no functions.',
    ...(notable.length > 0 ? ['', ...notable] : []),
  ].join('\n')
}

const TITLES: Readonly<Record<Language, string>> = {
  js: 'JavaScript',
  ts: 'TypeScript',
  py: 'Python',
  go: 'Go',
  php: 'PHP',
  java: 'Java',
}

const languageOfTag = (tag: string): Language | undefined => TAGS.find(([pattern]) => pattern.test(tag))?.[1]

const TAGS: readonly (readonly [RegExp, Language])[] = [
  [/^(js|javascript|jsx|mjs)$/i, 'js'],
  [/^(ts|typescript|tsx)$/i, 'ts'],
  [/^(py|python)$/i, 'py'],
  [/^go(lang)?$/i, 'go'],
  [/^php$/i, 'php'],
  [/^java$/i, 'java'],
]

function guess(code: string): Language {
  if (/^\s*(def|from \w+ import|class \w+.*:$)/m.test(code)) return 'py'
  if (/<\?php|\$\w+\s*=/.test(code)) return 'php'
  if (/^package \w+|^func /m.test(code)) return 'go'
  if (/\bpublic (static |class )/.test(code)) return 'java'
  return /:\s*(string|number|boolean|void)\b|\binterface \w+/.test(code) ? 'ts' : 'js'
}

/** Several lines that end or start as code does. */
function looksLikeCode(text: string): boolean {
  const lines = text
    .slice(0, 10_000)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const code = lines.filter((line) =>
    /[;{}]\s*$|^\s*(def|import|from|const|let|var|function|return|class|func|public|if\s*\()\b/.test(
      line.slice(0, 300),
    ),
  )
  return lines.length >= 3 && code.length * 2 >= lines.length
}
