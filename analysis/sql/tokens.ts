// Splits SQL into tokens: PostgreSQL, MySQL, SQL Server and Oracle write strings, names and comments in different ways.

export type SqlToken = {
  /** `end` is the end of a statement or of a batch. */
  readonly kind: 'word' | 'string' | 'sign' | 'end'
  /** A word in lower case and without quotes; the content of a string; a sign. */
  readonly text: string
  /** Whether a word stands in quotes: it is a name, and no keyword. */
  readonly isQuoted: boolean
  /** A batch ends here, and with it the variables: `GO`, `/` or a delimiter of MySQL. */
  readonly isBatchEnd: boolean
  readonly start: number
  readonly end: number
  /** The place of the content of a string. */
  readonly from: number
}

/** Null if a string, a quoted name or a comment does not end. */
export function readTokens(text: string): SqlToken[] | null {
  const dialect = dialectOf(text)
  return (
    new Reader(text, dialect).read() ??
    new Reader(text, { ...dialect, hasBackslashes: !dialect.hasBackslashes }).read()
  )
}

type Dialect = {
  /** MySQL: `\'` is a quote within a string. */
  readonly hasBackslashes: boolean
  /** MySQL changes the end of a statement, often to `$$`, which PostgreSQL uses for strings. */
  readonly hasDelimiters: boolean
}

function dialectOf(text: string): Dialect {
  const hasDelimiters = /^[ \t]*delimiter[ \t]+\S/im.test(text)
  return { hasDelimiters, hasBackslashes: hasDelimiters || /`|\bengine[ \t]*=|\/\*!\d/i.test(text) }
}

const LINE_REST = /[^\r\n]*/y
const SPACE = /\s+/y
const NAME = /[\p{L}_@#$:][\p{L}\p{M}\p{N}_@#$]*/uy
const NUMBER = /\d[\w.]*/y
const DOLLAR_TAG = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy
const SIGN = /\|\||:=|::|\+=|<>|<=|>=|!=|!~\*?|->>?|#>>?|./suy
/** Names of SQL Server: `[order details]`. An index of PostgreSQL follows a name. */
const BRACKETED = /\[[\p{L}_][^\]\n']{0,127}\]/uy
const DELIMITER_LINE = /[ \t]*delimiter[ \t]+(\S+)[^\n]*/iy
const BATCH_LINE = /[ \t]*(?:go(?:[ \t]+\d+)?|\/)[ \t]*;?[ \t]*(?=\r?\n|\r|$)/iy
const CLIENT_LINE = /[ \t]*(?:\\[^\n]*|@@?[^\s;]+\.\w+[^\n]*|(?:prompt|rem(?:ark)?)\b[^\n]*)/iy
const COPIED_ROWS = /^\\\.[ \t]*\r?$/m
const ORACLE_PAIRS: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}', '<': '>' }

class Reader {
  readonly #tokens: SqlToken[] = []
  readonly #text: string
  readonly #dialect: Dialect
  #at = 0
  #delimiter = ';'

  constructor(text: string, dialect: Dialect) {
    this.#text = text
    this.#dialect = dialect
  }

  read(): SqlToken[] | null {
    while (this.#at < this.#text.length) if (!this.#next()) return null
    return this.#tokens
  }

  /** False at a text that does not end. */
  #next(): boolean {
    const text = this.#text
    const from = this.#at
    if (from === 0 || text[from - 1] === '\n' || text[from - 1] === '\r') {
      if (this.#isLine()) return true
    }
    if (this.#match(SPACE)) return true
    const [one = '', two = ''] = [text[from], text[from + 1]]
    if (this.#delimiter !== ';' && text.startsWith(this.#delimiter, from)) {
      this.#at += this.#delimiter.length
      this.#push('end', this.#delimiter, from, { isBatchEnd: true })
      return true
    }
    if ((one === '-' && two === '-') || (one === '#' && /\s/.test(two))) return this.#skipLine()
    if (one === '/' && two === '*') return this.#skipComment()
    if (/[nN]/.test(one) && two === "'") this.#at += 1
    if (/[qQ]/.test(one) && two === "'") return this.#oracleString()
    if (/[eE]/.test(one) && two === "'") return this.#quoted("'", from + 1, true)
    if (text[this.#at] === "'") return this.#quoted("'", this.#at, this.#dialect.hasBackslashes)
    if (one === '"') return this.#quoted('"', from, this.#dialect.hasBackslashes)
    if (one === '`') return this.#quoted('`', from, false)
    if (one === '$' && !this.#dialect.hasDelimiters) {
      const tag = this.#match(DOLLAR_TAG)
      if (tag) return this.#dollarString(tag, from)
    }
    if (one === '[' && !/[\w\])]/.test(text[from - 1] ?? '')) {
      const name = this.#match(BRACKETED)
      if (name) return this.#push('word', name.slice(1, -1).toLowerCase(), from, { isQuoted: true })
    }
    if (one === ';') {
      this.#at += 1
      return this.#push('end', ';', from)
    }
    if (one === ':' && (two === '=' || two === ':')) {
      this.#at += 2
      return this.#push('sign', one + two, from)
    }
    const name = this.#match(NAME)
    if (name) return this.#push('word', name.toLowerCase(), from)
    const number = this.#match(NUMBER)
    if (number) return this.#push('sign', number, from)
    return this.#push('sign', this.#match(SIGN) ?? one, from)
  }

  /** Commands of clients, ends of batches, and rows of a dump. */
  #isLine(): boolean {
    const from = this.#at
    const line = this.#match(DELIMITER_LINE)
    if (line) {
      this.#delimiter = /delimiter[ \t]+(\S+)/i.exec(line)?.[1] ?? ';'
      return this.#push('end', line, from, { isBatchEnd: true })
    }
    const batch = this.#match(BATCH_LINE)
    if (batch) return this.#push('end', batch, from, { isBatchEnd: true })
    if (this.#isAfterEnd() && this.#match(CLIENT_LINE)) return true
    const last = this.#tokens.slice(-3)
    if (last[2]?.kind === 'end' && last[1]?.text === 'stdin' && last[0]?.text === 'from') {
      const rest = this.#text.slice(from)
      const end = COPIED_ROWS.exec(rest)
      this.#at = end ? from + end.index + end[0].length : this.#text.length
      this.#push('end', '\\.', from)
      return true
    }
    return false
  }

  #isAfterEnd(): boolean {
    const last = this.#tokens.at(-1)
    return last === undefined || last.kind === 'end'
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined || found === '') return null
    this.#at += found.length
    return found
  }

  #push(
    kind: SqlToken['kind'],
    text: string,
    start: number,
    more: { isQuoted?: boolean; isBatchEnd?: boolean; from?: number } = {},
  ): true {
    const { isQuoted = false, isBatchEnd = false, from = start } = more
    this.#tokens.push({ kind, text, isQuoted, isBatchEnd, start, end: this.#at, from })
    return true
  }

  #skipLine(): boolean {
    this.#match(LINE_REST)
    return true
  }

  #skipComment(): boolean {
    const end = this.#text.indexOf('*/', this.#at + 2)
    this.#at = end + 2
    return end !== -1
  }

  #quoted(quote: string, open: number, hasBackslashes: boolean): boolean {
    const text = this.#text
    let at = open + 1
    for (; at < text.length; at++) {
      if (hasBackslashes && text[at] === '\\') at += 1
      else if (text[at] === quote) {
        if (text[at + 1] !== quote) break
        at += 1
      }
    }
    if (at >= text.length) return false
    const start = this.#at
    this.#at = at + 1
    const content = text.slice(open + 1, at)
    // In MySQL, double quotes make strings.
    if (quote === "'" || (quote === '"' && this.#dialect.hasBackslashes))
      return this.#push('string', content, start, { from: open + 1 })
    return this.#push('word', content.toLowerCase(), start, { isQuoted: true })
  }

  /** `q'[it's]'` */
  #oracleString(): boolean {
    const open = this.#text[this.#at + 2] ?? ''
    const end = this.#text.indexOf(`${ORACLE_PAIRS[open] ?? open}'`, this.#at + 3)
    if (end === -1) return false
    const start = this.#at
    this.#at = end + 2
    return this.#push('string', this.#text.slice(start + 3, end), start, { from: start + 3 })
  }

  #dollarString(tag: string, start: number): boolean {
    const from = this.#at
    const end = this.#text.indexOf(tag, from)
    if (end === -1) return false
    this.#at = end + tag.length
    return this.#push('string', this.#text.slice(from, end), start, { from })
  }
}
