// Code in parts to colour: strings, keywords and comments. "Try it" uses it too, so it has no imports.

/** The element of a part: string, keyword or key of JSON, comment. Null is plain text. */
export type CodeToken = readonly [element: 'i' | 'b' | 'em' | null, text: string]

const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/.source
const words = (...all: string[]): string => `\\b(?:${all.join('|')})\\b`

/** Comment, string and keyword of each language, in this order. */
const PATTERNS: Readonly<Record<string, readonly [string, string, string]>> = {
  sh: [
    /(?<=^|\s)#.*/.source,
    /"(?:[^"\\]|\\[\s\S])*"|'[^']*'/.source,
    words('curl', 'echo', 'export', 'sed', 'grep', 'until', 'do', 'done', 'npm', 'jq', 'git', 'while'),
  ],
  ts: [
    /(?<=^|\s)\/\/.*/.source,
    `${QUOTED}|\`(?:[^\`\\\\]|\\\\.)*\``,
    words('import', 'from', 'const', 'await', 'async', 'function', 'for', 'of', 'return', 'export', 'new'),
  ],
  python: [
    /(?<=^|\s)#.*/.source,
    QUOTED,
    words('import', 'def', 'with', 'as', 'return', 'if', 'else', 'for', 'in', 'while', 'not', 'and', 'None'),
  ],
  go: [
    /(?<=^|\s)\/\/.*/.source,
    `${QUOTED}|\`[^\`]*\``,
    words(
      'package',
      'import',
      'func',
      'return',
      'if',
      'for',
      'range',
      'var',
      'type',
      'struct',
      'defer',
      'nil',
    ),
  ],
  json: [/(?!)/.source, /"(?:[^"\\\n]|\\.)*"(?!\s*:)/.source, /"(?:[^"\\\n]|\\.)*"(?=\s*:)/.source],
}

export function codeTokens(text: string, language: string): CodeToken[] {
  const [comment, string, keyword] = PATTERNS[language === 'console' ? 'sh' : language] ?? []
  if (comment === undefined) return [[null, text]]
  const tokens: CodeToken[] = []
  let end = 0
  const pattern = new RegExp(`(${comment})|(${string})|(${keyword})`, 'gm')
  for (const match of text.matchAll(pattern)) {
    const [whole, isComment, isString] = match
    if (match.index > end) tokens.push([null, text.slice(end, match.index)])
    tokens.push([isComment !== undefined ? 'em' : isString !== undefined ? 'i' : 'b', whole])
    end = match.index + whole.length
  }
  if (end < text.length) tokens.push([null, text.slice(end)])
  return tokens
}
