// Mines pairs from languages with `/** … */` before a declaration and braces around its body: JavaScript,
// TypeScript, Java, PHP.
import { CODE_CHARACTERS_MAX, type Pair, type SourceLanguage } from './pair.ts'
import { questionFrom } from './question.ts'

export function pairsByBraces(path: string, language: SourceLanguage, text: string): Pair[] {
  const pairs: Pair[] = []
  for (const comment of text.matchAll(DOCUMENTATION)) {
    const start = afterNotes(text, comment.index + comment[0].length)
    const declaration = (language === 'php' ? PHP : language === 'java' ? JAVA : SCRIPT).exec(
      text.slice(start, start + DECLARATION_CHARACTERS_MAX),
    )
    const name = declaration?.slice(1).find((each) => each !== undefined)
    if (!declaration || !name || NO_NAMES.has(name)) continue
    const question = questionFrom(comment[1] ?? '', name)
    const code = question && bodyFrom(text, start)
    if (question && code) pairs.push({ language, path, name, question, code })
  }
  return pairs
}

const DOCUMENTATION = /\/\*\*(?!\/)((?:[^*]|\*(?!\/)){8,4000})\*\//g
const DECLARATION_CHARACTERS_MAX = 400
const NO_NAMES = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'return',
  'function',
  'new',
  'else',
  'throw',
])

const MODIFIERS =
  '(?:(?:export|default|public|private|protected|static|async|override|abstract|final|get|set)\\s+)*'
const SCRIPT = new RegExp(
  `^${MODIFIERS}(?:` +
    [
      'function\\s*\\*?\\s*([\\w$]+)\\s*[<(]',
      '(?:const|let|var)\\s+([\\w$]+)\\s*=\\s*(?:async\\s*)?(?:function\\b|\\(|[\\w$]+\\s*=>)',
      '(?:[\\w$]+\\.)+([\\w$]+)\\s*=\\s*(?:async\\s*)?(?:function\\b|\\(|[\\w$]+\\s*=>)',
      '([\\w$]+)\\s*:\\s*(?:async\\s*)?function\\b',
      '[*#]?([\\w$]+)\\s*(?:<[^>(]*>)?\\([^)]*\\)\\s*(?::[^{;=]+)?\\{',
    ].join('|') +
    ')',
)
const JAVA = /^(?:@\w+(?:\([^)]*\))?\s+)*(?:[\w<>[\],.?&@]+\s+)+?(\w+)\s*\([^)]*\)[^{;]*\{/
const PHP =
  /^(?:#\[[^\]]*\]\s*)?(?:(?:public|private|protected|static|final|abstract)\s+)*function\s+&?(\w+)\s*\(/

/** Skips white space and comments that are not documentation. */
function afterNotes(text: string, from: number): number {
  const notes = /(?:\s+|\/\/[^\n]*\n|\/\*(?!\*)[\s\S]{0,400}?\*\/)*/y
  notes.lastIndex = from
  notes.exec(text)
  return notes.lastIndex === 0 ? from : notes.lastIndex
}

/** From the declaration to its closing brace, or up to the maximum length. Null without a body. */
function bodyFrom(text: string, start: number): string | null {
  const end = Math.min(text.length, start + CODE_CHARACTERS_MAX, nextDocumentation(text, start))
  let [depth, round] = [0, 0]
  for (let at = start; at < end; at++) {
    const character = text[at]
    if (character === '"' || character === "'" || character === '`') at = endOfText(text, at, end, character)
    else if (character === '/' && text[at + 1] === '/') at = lineEnd(text, at)
    else if (character === '/' && text[at + 1] === '*') at = Math.max(at, text.indexOf('*/', at + 2))
    else if (character === '(') round++
    else if (character === ')') round--
    else if (character === '{') depth++
    else if (character === '}' && --depth <= 0 && round <= 0) return whole(text.slice(start, at + 1))
    else if (character === ';' && depth === 0 && round === 0) return whole(text.slice(start, at + 1))
  }
  return whole(text.slice(start, end).trimEnd())
}

/** Stops at the next documented function, in case the brace count is wrong. */
function nextDocumentation(text: string, start: number): number {
  const at = text.indexOf('/**', start)
  return at === -1 ? text.length : at
}

const CODE_CHARACTERS_MIN = 40
const whole = (code: string): string | null =>
  code.length >= CODE_CHARACTERS_MIN && /[{>]/.test(code) ? code : null

function endOfText(text: string, from: number, end: number, quote: string): number {
  for (let at = from + 1; at < end; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at
    // A quote that is not closed on its line was an apostrophe.
    else if (text[at] === '\n' && quote !== '`') return from
  }
  return from
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}
