// Source files for structure tests: their tokens and imports. The TypeScript compiler has no API for this.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export type Token = {
  kind: 'word' | 'punctuation' | 'number' | 'string' | 'template' | 'regex'
  text: string
  line: number
  /** Whether there is no space before the token. */
  adjacent: boolean
}
export type Import = { path: string; line: number; typeOnly: boolean }
export type Source = { path: string; text: string; tokens: Token[]; imports: Import[] }

/** Every TypeScript file below a folder. Paths, also of imports, are relative to the folder. */
export function readSources(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        entry.name.endsWith('.ts') &&
        !/\/(testdata|node_modules)(\/|$)/.test(entry.parentPath),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => sourceOf(relative(folder, file), readFileSync(file, 'utf8')))
}

export function sourceOf(path: string, text: string): Source {
  const tokens = tokensOf(text)
  return { path, text, tokens, imports: importsOf(path, tokens) }
}

/** Resolves relative imports. Packages and Node.js modules keep their names. */
function importsOf(path: string, tokens: Token[]): Import[] {
  const found: Import[] = []
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== 'word' || tokens[i - 1]?.text === '.') continue
    const next = tokens[i + 1]
    const leads =
      token.text === 'import' ? next?.text !== '.' : token.text === 'export' && isReExport(tokens, i)
    if (!leads) continue
    const named = tokens.slice(i + 1, i + 500).find(({ kind }) => kind === 'string')
    if (!named) continue
    const name = named.text.slice(1, -1)
    const resolved = name.startsWith('.') ? join(dirname(path), name) : name
    // `import { type T }` still loads the file. Only `import type` is erased.
    const typeOnly = next?.text === 'type' && ['{', '*'].includes(tokens[i + 2]?.text ?? '')
    found.push({ path: resolved, line: token.line, typeOnly })
  }
  return found
}

function isReExport(tokens: Token[], at: number): boolean {
  const start = tokens[at + 1]?.text === 'type' ? at + 2 : at + 1
  if (tokens[start]?.text === '*') return true
  if (tokens[start]?.text !== '{') return false
  const end = tokens.findIndex(({ text }, i) => i > start && text === '}')
  return tokens[end + 1]?.text === 'from'
}

const SPACE = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const PLAIN: [Token['kind'], RegExp][] = [
  ['word', /[\p{ID_Start}$_#@][\p{ID_Continue}$]*/uy],
  ['number', /\d[\w.]*/y],
  ['string', /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y],
  ['regex', /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y],
]
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y
const BEFORE_REGEX = new Set(['return', 'typeof', 'case', 'in', 'of', 'throw', 'await', 'yield', 'else'])

/** The tokens of a file, including those of template expressions. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  /** Open braces in each enclosing template expression. */
  const templates: number[] = []
  let at = 0
  let line = 1
  let adjacent = true

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.test(text) ? text.slice(at, pattern.lastIndex) : undefined
  }
  const take = (kind: Token['kind'], taken: string) => {
    tokens.push({ kind, text: taken, line, adjacent })
    pass(taken)
    adjacent = true
  }
  const pass = (taken: string) => {
    for (let end = taken.indexOf('\n'); end >= 0; end = taken.indexOf('\n', end + 1)) line += 1
    at += taken.length
  }
  const templatePart = (opening: string) => {
    at += opening.length
    const part = match(TEMPLATE_PART)
    if (part === undefined) throw new Error(`unterminated template literal at line ${line}`)
    at -= opening.length
    take('template', opening + part)
    if (part.endsWith('${')) templates.push(0)
  }

  while (at < text.length) {
    const space = match(SPACE)
    if (space !== undefined) {
      pass(space)
      adjacent = false
      continue
    }
    const character = text[at] ?? ''
    const inTemplate = templates.length - 1
    if (character === '`') templatePart('`')
    else if (character === '}' && templates[inTemplate] === 0) {
      templates.pop()
      templatePart('}')
    } else {
      if (inTemplate >= 0 && character === '{') templates[inTemplate] = (templates[inTemplate] ?? 0) + 1
      if (inTemplate >= 0 && character === '}') templates[inTemplate] = (templates[inTemplate] ?? 0) - 1
      take(...plainToken(character))
    }
  }
  return tokens

  function plainToken(character: string): [Token['kind'], string] {
    for (const [kind, pattern] of PLAIN) {
      if (kind === 'regex' && !mayStartRegex(tokens.at(-1))) continue
      const found = match(pattern)
      if (found !== undefined) return [kind, found]
    }
    return ['punctuation', character]
  }
}

/** A slash is a division after a value and starts a regular expression elsewhere. */
function mayStartRegex(before: Token | undefined): boolean {
  if (before === undefined) return true
  if (before.kind === 'word') return BEFORE_REGEX.has(before.text)
  return before.kind === 'punctuation' && !')]}'.includes(before.text)
}
