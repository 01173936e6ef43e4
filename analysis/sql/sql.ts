// The rule for SQL files: statements that routines build from their parameters.
import type { Hit, Rule, TextEvent } from '../rule.ts'
import { findDynamicStatements, type SqlProblem } from './dynamic-sql.ts'

const SQL_FILE = /\.(?:sql|psql|pgsql|plsql|pls|pks|pkb|pck|tsql|mysql|ddl|dml|prc|fnc|trg)$/i
export const isSql = (path: string): boolean => SQL_FILE.test(path)

/** Both the rule and the list of skipped files need the same result. */
const lastRead: { text: string | null; found: ReturnType<typeof findDynamicStatements> } = {
  text: null,
  found: [],
}

function readSql(text: string): ReturnType<typeof findDynamicStatements> {
  if (lastRead.text !== text) Object.assign(lastRead, { text, found: findDynamicStatements(text) })
  return lastRead.found
}

/** Null if the file is known in full. */
export function sqlProblem(text: string): SqlProblem | null {
  const found = readSql(text)
  return typeof found === 'string' ? found : null
}

const dynamicSql: Rule = {
  id: 'SQL-SQL-01',
  title: 'Parameter in a statement that is executed',
  cwe: 89,
  severity: 'error',
  confidence: 'medium',
  languages: 'any text',
  message:
    'A caller can end the string or the name and add other SQL, which runs with the rights of this function or procedure.',
  fix: 'Pass values as bind variables (USING, sp_executesql with parameters), and quote names: format with %I and %L, quote_ident, QUOTENAME, DBMS_ASSERT.ENQUOTE_NAME. Compare names that cannot be quoted with a fixed list.',
  on: {
    text: (event) => (isSql(event.path) ? hitsOf(event) : []),
  },
}

export const sqlRules: readonly Rule[] = [dynamicSql]

function hitsOf({ text }: TextEvent): Hit[] {
  const lines = new LineCounter(text)
  const found = readSql(text)
  return (typeof found === 'string' ? [] : found).map(({ start, end, parameter }) => ({
    at: { start, end, line: lines.lineAt(start), endLine: lines.lineAt(end) },
    detail: `The parameter \`${parameter}\` is part of the statement without being quoted.`,
  }))
}

/** Counts on from the last place, because statements are found nearly in order. */
class LineCounter {
  readonly #text: string
  #at = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  lineAt(offset: number): number {
    if (offset < this.#at) {
      this.#at = 0
      this.#line = 1
    }
    for (; this.#at < offset; this.#at++) {
      const sign = this.#text[this.#at]
      if (sign === '\n' || (sign === '\r' && this.#text[this.#at + 1] !== '\n')) this.#line += 1
    }
    return this.#line
  }
}
