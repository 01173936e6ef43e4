// Outlines code: its size, its functions, and notable lines.
import { functionNames } from './source-code.ts'

const NOTABLE: readonly (readonly [RegExp, string])[] = [
  [/\bawait\b/, 'waits for an asynchronous result'],
  [/\b(fetch|axios|requests\.(get|post))\b/, 'calls the network'],
  [/\beval\(|\bexec\(/, 'runs text as code, which is dangerous with input from outside'],
]

export function explain(code: string): string {
  const lines = code.slice(0, 20_000).trimEnd().split('\n')
  const names = functionNames(code).slice(0, 12)
  const notes = NOTABLE.flatMap(([pattern, meaning]) => {
    const at = lines.findIndex((line) => pattern.test(line.slice(0, 300)))
    return at < 0 ? [] : [`- Line ${at + 1} ${meaning}.`]
  })
  const defined = names.map((name) => `\`${name}\``).join(', ') || 'no functions'
  return [`This is code of ${lines.length} lines. It defines ${defined}.`, ...notes].join('\n')
}
