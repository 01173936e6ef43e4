// Mines pairs from Go: comment lines directly before a `func`.
import { CODE_CHARACTERS_MAX, type Pair } from './pair.ts'
import { questionFrom } from './question.ts'

export function pairsOfGo(path: string, text: string): Pair[] {
  const pairs: Pair[] = []
  for (const { 1: documentation = '', 2: signature = '', 3: name = '', 4: body = '' } of text.matchAll(
    DOCUMENTED,
  )) {
    const question = questionFrom(documentation, name)
    const code = `${signature}${body}`.slice(0, CODE_CHARACTERS_MAX)
    if (question && body.length >= BODY_CHARACTERS_MIN)
      pairs.push({ language: 'go', path, name, question, code })
  }
  return pairs
}

/** A top-level function ends with a brace at the start of a line. */
const DOCUMENTED =
  /((?:^\/\/[^\n]*\n){1,40})(^func (?:\([^)\n]*\) )?(\w+)[^\n]*\{\n)([\s\S]{0,6000}?^\}|[^\n]*\}$)/gm
const BODY_CHARACTERS_MIN = 20
