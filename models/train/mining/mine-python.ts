// Mines pairs from Python: a `def` with its docstring.
import { CODE_CHARACTERS_MAX, type Pair } from './pair.ts'
import { questionFrom } from './question.ts'

export function pairsOfPython(path: string, text: string): Pair[] {
  const pairs: Pair[] = []
  for (const found of text.matchAll(DOCUMENTED)) {
    const [all, indent = '', signature = '', name = '', , documentation = ''] = found
    const question = questionFrom(documentation, name)
    const body = question ? bodyFrom(text, found.index + all.length, indent.length) : ''
    const code = `${signature}${body}`.slice(0, CODE_CHARACTERS_MAX)
    if (question && body.trim().length >= BODY_CHARACTERS_MIN)
      pairs.push({ language: 'python', path, name, question, code })
  }
  return pairs
}

const DOCUMENTED =
  /^([ \t]*)((?:async )?def (\w+)\([^:]{0,600}?\)[^:\n]*:)[ \t]*(?:#[^\n]*)?\n\s*[rRuUbB]{0,2}("""|''')([\s\S]{8,4000}?)\4/gm
const BODY_CHARACTERS_MIN = 20

/** The lines indented deeper than the `def`. */
function bodyFrom(text: string, from: number, indent: number): string {
  const lines: string[] = []
  for (const line of text.slice(from, from + CODE_CHARACTERS_MAX).split('\n')) {
    const isOutside = line.trim() !== '' && line.length - line.trimStart().length <= indent
    if (isOutside && lines.length > 0) break
    lines.push(line)
  }
  return lines.join('\n')
}
