// Splits the text of a SQL file into statements, and statements into tokens.

export type Token = {
  readonly kind: 'word' | 'quoted' | 'text' | 'number' | 'symbol'
  /** Lower case for a word, and without quotes for a quoted name. Empty for a text. */
  readonly text: string
}

export type SqlStatement = {
  /** Without the final semicolon. */
  readonly text: string
  /** The comments before the statement and inside it, without `--`. */
  readonly comments: readonly string[]
  readonly tokens: readonly Token[]
}

type Kind = Token['kind'] | 'space' | 'comment'
type Lexeme = { readonly kind: Kind; readonly source: string }

/** In this order: the first pattern that matches is taken. Block comments and dollar quotes are read separately. */
const PATTERNS: readonly (readonly [Kind, RegExp])[] = [
  ['space', /\s+/y],
  ['comment', /--[^\n]*/y],
  ['text', /[eE]'(?:[^'\\]|\\[\s\S]|'')*'/y],
  ['text', /[bBxXnN]?'(?:[^']|'')*'/y],
  ['quoted', /"(?:[^"]|"")*"/y],
  ['word', /[\p{L}_][\p{L}\p{N}_$]*/uy],
  ['number', /\d[\d.]*/y],
  ['symbol', /::|[\s\S]/uy],
]
const DOLLAR_QUOTE = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy

export function statementsOf(text: string): SqlStatement[] {
  const statements: SqlStatement[] = []
  let lexemes: Lexeme[] = []
  const end = () => {
    const statement = statementOf(lexemes)
    if (statement.tokens.length > 0) statements.push(statement)
    lexemes = []
  }
  for (const lexeme of lexemesOf(text)) {
    if (lexeme.kind === 'symbol' && lexeme.source === ';') end()
    else lexemes.push(lexeme)
  }
  end()
  return statements
}

function statementOf(lexemes: readonly Lexeme[]): SqlStatement {
  const comments = lexemes
    .filter(({ kind }) => kind === 'comment')
    .map(({ source }) => source.replace(/^(--|\/\*)\s*|\s*\*\/$/g, '').trim())
  const tokens = lexemes.flatMap(({ kind, source }): Token[] => {
    if (kind === 'space' || kind === 'comment') return []
    if (kind === 'quoted') return [{ kind, text: source.slice(1, -1).replaceAll('""', '"') }]
    if (kind === 'text') return [{ kind, text: '' }]
    return [{ kind, text: source.toLowerCase() }]
  })
  return {
    text: lexemes
      .map(({ source }) => source)
      .join('')
      .trim(),
    comments,
    tokens,
  }
}

function* lexemesOf(text: string): Generator<Lexeme> {
  for (let at = 0; at < text.length; ) {
    const lexeme = blockComment(text, at) ?? dollarQuote(text, at) ?? plainLexeme(text, at)
    at += lexeme.source.length
    yield lexeme
  }
}

function plainLexeme(text: string, at: number): Lexeme {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at
    const source = pattern.exec(text)?.[0]
    if (source) return { kind, source }
  }
  throw new Error(`no SQL token at ${JSON.stringify(text.slice(at, at + 20))}`)
}

/** Block comments nest. */
function blockComment(text: string, at: number): Lexeme | null {
  if (!text.startsWith('/*', at)) return null
  let depth = 0
  for (let i = at; i < text.length; i++) {
    if (text.startsWith('/*', i)) depth++
    else if (text.startsWith('*/', i)) depth--
    else continue
    i++
    if (depth === 0) return { kind: 'comment', source: text.slice(at, i + 1) }
  }
  throw new Error('a block comment does not end')
}

function dollarQuote(text: string, at: number): Lexeme | null {
  DOLLAR_QUOTE.lastIndex = at
  const mark = DOLLAR_QUOTE.exec(text)?.[0]
  if (mark === undefined) return null
  const end = text.indexOf(mark, at + mark.length)
  if (end < 0) throw new Error(`the text after ${mark} does not end`)
  return { kind: 'text', source: text.slice(at, end + mark.length) }
}
