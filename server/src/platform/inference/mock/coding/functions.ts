// Finds a function in a source file: where it starts and ends, its parameters and its body.
import type { Language } from '../known/known.ts'
import { closingOf } from './brackets.ts'

export type FunctionSpan = {
  readonly name: string
  /** Names alone, without types and defaults. */
  readonly params: readonly string[]
  /** The whole definition, as offsets; `start` is at the beginning of its line. */
  readonly start: number
  readonly end: number
  /** What is inside the braces or under the `def`; of an arrow without braces its expression. */
  readonly bodyStart: number
  readonly bodyEnd: number
  readonly kind: 'block' | 'expression'
  readonly indent: string
}

/** Undefined when the file does not define it, or not in a way that is understood here. */
export function findFunction(text: string, name: string, language: Language): FunctionSpan | undefined {
  if (!/^[\w$]+$/.test(name)) return undefined
  for (const pattern of headersOf(name.replaceAll('$', '\\$'), language)) {
    const found = new RegExp(pattern, 'm').exec(text)
    const span = found === null ? undefined : spanAt(text, found, name, language)
    if (span !== undefined) return span
  }
  return undefined
}

/** A file is searched for names so far. */
const CHARACTERS_MAX = 100_000

/** Names of the functions a file defines, in order, at most 200. */
export function functionNames(text: string, language: Language): readonly string[] {
  const pattern = new RegExp(NAMES[language], 'gm')
  const names = new Set<string>()
  for (const found of text.slice(0, CHARACTERS_MAX).matchAll(pattern)) {
    const name = found.slice(1).find((group) => group !== undefined)
    if (name !== undefined && !KEYWORDS.has(name)) names.add(name)
    if (names.size === 200) break
  }
  return [...names]
}

const KEYWORDS = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'return',
  'function',
  'constructor',
  'else',
])

const SCRIPT_NAMES =
  '^[ \\t]*(?:export +)?(?:default +)?(?:async +)?function\\*? *([\\w$]+)|^[ \\t]*(?:export +)?(?:const|let|var) +([\\w$]+)(?: *: *[^=\\n]+)? *= *(?:async *)?(?:function\\b|\\([^)\\n]*\\)[^=\\n]*=>|[\\w$]+ *=>)|^[ \\t]+(?:static +|async +|public +|private +)*([\\w$]+)\\([^)\\n]*\\)[^;{\\n]*\\{$'

const NAMES: Readonly<Record<Language, string>> = {
  js: SCRIPT_NAMES,
  ts: SCRIPT_NAMES,
  py: '^[ \\t]*(?:async +)?def +(\\w+)',
  go: '^func +(?:\\([^)\\n]*\\) *)?(\\w+)',
  php: '^[ \\t]*(?:public +|private +|protected +|static +)*function +(\\w+)',
  java: '^[ \\t]+(?:public +|private +|protected +|static +|final +)*[\\w<>\\[\\]]+ +(\\w+)\\([^)\\n]*\\)[^;{\\n]*\\{',
}

/** What stands before the parameters, from the beginning of the line. */
function headersOf(name: string, language: Language): readonly string[] {
  if (language === 'py') return [`^[ \\t]*(?:async +)?def +${name} *\\(`]
  if (language === 'go') return [`^func +(?:\\([^)\\n]*\\) *)?${name} *\\(`]
  if (language === 'php')
    return [`^[ \\t]*(?:public +|private +|protected +|static +)*function +${name} *\\(`]
  if (language === 'java')
    return [`^[ \\t]+(?:public +|private +|protected +|static +|final +)*[\\w<>\\[\\]]+ +${name} *\\(`]
  return [
    `^[ \\t]*(?:export +)?(?:default +)?(?:async +)?function\\*? *${name} *(?:<[^(\\n]*>)?\\(`,
    `^[ \\t]*(?:(?:export +)?(?:const|let|var) +|(?:module\\.)?exports\\.)${name}(?: *: *[^=\\n]+)? *= *(?:async *)?(?:function *\\w*)? *(?:<[^(\\n]*>)?\\(`,
    `^[ \\t]+(?:static +|async +|public +|private +)*${name} *\\((?=[^)\\n]*\\)[^;\\n]*\\{)`,
  ]
}

function spanAt(
  text: string,
  header: RegExpExecArray,
  name: string,
  language: Language,
): FunctionSpan | undefined {
  const open = header.index + header[0].length - 1
  const close = closingOf(text, open, language)
  if (close === undefined) return undefined
  const body = language === 'py' ? indentedBody(text, header.index, close) : bracedBody(text, close, language)
  if (body === undefined) return undefined
  return {
    name,
    params: paramsOf(text.slice(open + 1, close)),
    start: header.index,
    indent: /^[ \t]*/.exec(header[0])?.[0] ?? '',
    ...body,
  }
}

type Body = Pick<FunctionSpan, 'bodyStart' | 'bodyEnd' | 'end' | 'kind'>

function bracedBody(text: string, close: number, language: Language): Body | undefined {
  const rest = text.slice(close + 1, close + 400)
  const arrow = /^[^={;\n]*=>\s*/.exec(rest)
  if (arrow !== null && rest[arrow[0].length] !== '{') {
    const bodyStart = close + 1 + arrow[0].length
    const length = /^[^;\n]*/.exec(text.slice(bodyStart, bodyStart + 2_000))?.[0].length ?? 0
    const bodyEnd = bodyStart + length
    return { bodyStart, bodyEnd, end: text[bodyEnd] === ';' ? bodyEnd + 1 : bodyEnd, kind: 'expression' }
  }
  const brace = /^[^;{]*\{/.exec(rest)
  if (brace === null) return undefined
  const open = close + brace[0].length
  const end = closingOf(text, open, language)
  if (end === undefined) return undefined
  return { bodyStart: open + 1, bodyEnd: end, end: text[end + 1] === ';' ? end + 2 : end + 1, kind: 'block' }
}

function indentedBody(text: string, start: number, close: number): Body | undefined {
  const colon = /^[^:\n]*:[^\n]*/.exec(text.slice(close + 1, close + 400))
  if (colon === null) return undefined
  const indent = /^[ \t]*/.exec(text.slice(start, start + 200))?.[0].length ?? 0
  const bodyStart = close + 1 + colon[0].length + 1
  let end = Math.min(bodyStart, text.length)
  for (let at = end; at < text.length; ) {
    const next = text.indexOf('\n', at)
    const lineEnd = next < 0 ? text.length : next
    const line = text.slice(at, lineEnd)
    if (line.trim() !== '') {
      if ((/^[ \t]*/.exec(line)?.[0].length ?? 0) <= indent) break
      end = lineEnd
    }
    at = lineEnd + 1
  }
  return { bodyStart: Math.min(bodyStart, end), bodyEnd: end, end, kind: 'block' }
}

const paramsOf = (list: string): readonly string[] =>
  list
    .split(',')
    .map((each) => /^\s*(?:\.\.\.|\*{0,2}|(?:[\w<>[\]]+\s+)?\$?)([\w$]+)/.exec(each)?.[1] ?? '')
    .filter((name) => name !== '' && name !== 'self')
