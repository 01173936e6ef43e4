// Finds statements that a function or procedure builds from its parameters and executes.
import { findRoutines } from './routines.ts'
import { readTokens, type SqlToken } from './tokens.ts'
import { closeOf, findWord, splitArguments, taintOf } from './values.ts'

export type DynamicStatement = {
  readonly start: number
  readonly end: number
  /** The parameter that is inserted. */
  readonly parameter: string
}

/** Why a file is not known in full: a string or a comment does not end, or an expression is too long. */
export type SqlProblem = 'syntax_errors' | 'too_complex'

export function findDynamicStatements(text: string): readonly DynamicStatement[] | SqlProblem {
  const tokens = readTokens(text)
  try {
    return (tokens && findIn(text, tokens, 0)) ?? 'syntax_errors'
  } catch (error) {
    if (error instanceof TooLongError) return 'too_complex'
    throw error
  }
}

/** Nested brackets take quadratic time. */
const EXPRESSION_MAX = 4_000
class TooLongError extends Error {}

const DEPTH_MAX = 2

function findIn(text: string, tokens: readonly SqlToken[], depth: number): DynamicStatement[] | null {
  const found: DynamicStatement[] = []
  for (const { parameters, body, isTrigger } of findRoutines(tokens)) {
    const names = [...parameters, ...(isTrigger ? ['new', 'old', ':new', ':old'] : [])]
    if (names.length === 0) continue
    const code = bodyOf(text, body)
    if (code === null) return null
    found.push(...new RoutineScan(new Map(names.map((name) => [name, name]))).run(code))
  }
  // Code in other strings, such as DO blocks that create functions.
  if (depth < DEPTH_MAX)
    for (const [at, token] of tokens.entries()) {
      if (token.kind !== 'string' || tokens[at - 1]?.text !== 'do') continue
      const inner = readAt(text, token)
      const more = inner && findIn(text, inner, depth + 1)
      if (!more) return null
      found.push(...more)
    }
  return found
}

/** PostgreSQL writes the body as a string after AS. */
function bodyOf(text: string, body: readonly SqlToken[]): readonly SqlToken[] | null {
  const at = body.findIndex((token, place) => token.kind === 'string' && body[place - 1]?.text === 'as')
  const string = body[at]
  const isEarly = body.slice(0, at).every(({ kind }) => kind !== 'end')
  return string && isEarly ? readAt(text, string) : body
}

/** The tokens of a string, at their places in the file. */
function readAt(text: string, { start, from, text: content }: SqlToken): readonly SqlToken[] | null {
  // Within single quotes, each quote of the body is doubled.
  const isDoubled = /^[eEnN]?'/.test(text.slice(start, start + 2))
  const code = isDoubled
    ? content.replaceAll(/(?:'')+/g, (quotes) => "'".repeat(quotes.length / 2).padEnd(quotes.length))
    : content
  return (
    readTokens(code)?.map((token) => ({
      ...token,
      start: token.start + from,
      end: token.end + from,
      from: token.from + from,
    })) ?? null
  )
}

/** Words that begin a statement. SQL Server needs no semicolon between statements. */
const STARTS = new Set(
  `set exec execute select declare if begin end else elsif elseif print return insert update delete merge while go
  raiserror raise throw signal fetch open close then loop exception prepare deallocate for foreach commit rollback`.split(
    /\s+/,
  ),
)
const EXPRESSION_ENDS = new Set([
  'into',
  'using',
  'from',
  'where',
  'at',
  'with',
  'bulk',
  'returning',
  'limit',
])
const FAILS = new Set(['raise', 'raiserror', 'throw', 'signal', 'return', 'raise_application_error'])

class RoutineScan {
  readonly #tainted: Map<string, string>
  readonly #found: DynamicStatement[] = []
  /** Parameters that have fixed values up to the end of a branch. */
  #returning: { readonly at: number; readonly name: string; readonly parameter: string }[] = []

  constructor(tainted: Map<string, string>) {
    this.#tainted = tainted
  }

  run(tokens: readonly SqlToken[]): DynamicStatement[] {
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]
      if (token?.kind !== 'word' || token.isQuoted || tokens[at - 1]?.text === '.') continue
      for (const each of this.#returning) if (each.at <= at) this.#tainted.set(each.name, each.parameter)
      this.#returning = this.#returning.filter((each) => each.at > at)
      if (token.text === 'execute' || token.text === 'exec') this.#execute(tokens, at)
      else if (token.text === 'prepare' && tokens[at + 2]?.text === 'from')
        this.#check(tokens, at, expressionAt(tokens, at + 3))
      else if (token.text === 'open') this.#openCursor(tokens, at)
      else if (token.text === 'dbms_sql' && tokens[at + 2]?.text === 'parse') this.#parse(tokens, at + 2)
      else if (token.text === 'if' || token.text === 'elsif' || token.text === 'while')
        this.#guard(tokens, at)
      else if (token.text === 'select') this.#select(tokens, at)
      else if (token.text === 'foreach') this.#loop(tokens, at)
      this.#assign(tokens, at)
    }
    return this.#found
  }

  #check(tokens: readonly SqlToken[], at: number, expression: readonly SqlToken[]): void {
    const parameter = taintOf(expression, this.#tainted)
    const start = tokens[at]?.start ?? 0
    if (parameter !== null) this.#found.push({ start, end: expression.at(-1)?.end ?? start, parameter })
  }

  #execute(tokens: readonly SqlToken[], at: number): void {
    const statement = executedAt(tokens, at)
    if (statement) this.#check(tokens, at, statement)
  }

  /** OPEN cursor FOR EXECUTE expression; Oracle: OPEN cursor FOR expression. */
  #openCursor(tokens: readonly SqlToken[], at: number): void {
    const next = tokens[at + 3]
    if (tokens[at + 2]?.text === 'for' && next?.text !== 'execute' && next?.text !== 'select')
      this.#check(tokens, at, expressionAt(tokens, at + 3))
  }

  /** DBMS_SQL.PARSE(cursor, statement, …) */
  #parse(tokens: readonly SqlToken[], at: number): void {
    if (tokens[at + 1]?.text !== '(') return
    const [, statement = []] = splitArguments(tokens.slice(at + 2, closeOf(tokens, at + 1)))
    this.#check(tokens, at, statement)
  }

  #assign(tokens: readonly SqlToken[], at: number): void {
    const name = tokens[at]?.text ?? ''
    const operator = findOperator(tokens, at)
    if (operator === -1) return
    const value = taintOf(assignedAt(tokens, operator + 1), this.#tainted)
    // A member of a record, or a text that is longer now.
    const isAdded = tokens[operator]?.text === '+=' || tokens[at + 1]?.text === '.'
    if (value !== null) this.#tainted.set(name, value)
    else if (!isAdded) this.#tainted.delete(name)
  }

  /** SELECT expressions INTO names. */
  #select(tokens: readonly SqlToken[], at: number): void {
    const statement = statementAt(tokens, at + 1)
    const into = findWord(statement, 'into')
    if (into === -1) return
    const from = findWord(statement, 'from')
    const values = splitArguments(statement.slice(0, from !== -1 && from < into ? from : into))
    const listed = statement.slice(into + 1, from > into ? from : statement.length)
    const names = splitArguments(listed.filter(({ text }) => text !== 'strict'))
    for (const [place, [name]] of names.entries()) {
      const value = taintOf(values[place] ?? [], this.#tainted)
      if (name && value !== null) this.#tainted.set(name.text, value)
    }
  }

  /** FOREACH element IN ARRAY names LOOP */
  #loop(tokens: readonly SqlToken[], at: number): void {
    const end = tokens.findIndex(({ text }, place) => place > at && text === 'loop')
    const value = taintOf(tokens.slice(at + 2, end), new Map(this.#tainted))
    const name = tokens[at + 1]?.text
    const array = tokens.slice(at + 2, end).find(({ text }) => this.#tainted.has(text))
    const parameter = value ?? (array && this.#tainted.get(array.text))
    if (name && parameter) this.#tainted.set(name, parameter)
  }

  /** A comparison with fixed values, a pattern or the catalogue. Other values are refused, or do not reach the branch. */
  #guard(tokens: readonly SqlToken[], at: number): void {
    const end = endOfCondition(tokens, at + 1)
    const condition = tokens.slice(at + 1, end)
    const isRefusal = tokens.slice(end, end + 12).some(({ text }) => FAILS.has(text))
    const isNegated = condition.some(({ text }) => /^(?:not|<>|!=|!~\*?|null)$/.test(text))
    if (isRefusal !== isNegated) return
    const isLookedUp = condition.some(({ text }) => CATALOGUES.test(text))
    const seen = new Set<string>()
    for (const [place, { text }] of condition.entries()) {
      const parameter = this.#tainted.get(text)
      if (parameter === undefined || seen.has(text)) continue
      seen.add(text)
      if (!isLookedUp && !isCompared(condition, place)) continue
      this.#tainted.delete(text)
      if (!isRefusal) this.#returning.push({ at: endOfBranch(tokens, end), name: text, parameter })
    }
  }
}

const CATALOGUES =
  /^(?:information_schema|pg_class|pg_tables|pg_namespace|pg_roles|pg_user|all_tables|user_tables|dba_tables|all_users|object_id|schema_id|db_id|tables|columns|objects|databases|to_regclass|pg_attribute|pg_catalog|sys)$/

function isCompared(condition: readonly SqlToken[], at: number): boolean {
  const after = condition.slice(at + 1, at + 5)
  const operator = after.find(({ text }) =>
    /^(?:in|=|<>|!=|~|!~|!~\*|like|regexp|rlike|similar|any|all)$/.test(text),
  )
  const name = condition.slice(Math.max(0, at - 3), at).map(({ text }) => text)
  if (name.includes('regexp_like') || name.includes('patindex')) return true
  if (operator === undefined) return false
  const value = condition.slice(condition.indexOf(operator) + 1).find(({ kind }) => kind === 'string')
  return value !== undefined && value.text !== ''
}

/** The statement that EXECUTE runs; null for the call of a procedure, and for a right of this name. */
function executedAt(tokens: readonly SqlToken[], at: number): readonly SqlToken[] | null {
  const next = tokens[at + 1]
  if (next?.text === 'immediate') return expressionAt(tokens, at + 2)
  if (/^(?:grant|revoke)$/.test(tokens[at - 1]?.text ?? '')) return null
  if (/^(?:on|as|function|procedure)$/.test(next?.text ?? '')) return null
  // EXEC @result = sys.sp_executesql @statement, …
  let name = /^@/.test(next?.text ?? '') && tokens[at + 2]?.text === '=' ? at + 3 : at + 1
  while (tokens[name + 1]?.text === '.') name += 2
  if (tokens[name]?.text === 'sp_executesql') {
    const [statement = []] = splitArguments(expressionAt(tokens, name + 1))
    const isNamed = /^@(?:stmt|statement)$/.test(statement[0]?.text ?? '') && statement[1]?.text === '='
    return isNamed ? statement.slice(2) : statement
  }
  // SQL Server calls a procedure without brackets: EXEC name @argument.
  const isCall = name > at + 1 || (next?.kind === 'word' && isArgument(tokens[at + 2]))
  return isCall ? null : expressionAt(tokens, at + 1)
}

const isArgument = (token: SqlToken | undefined): boolean =>
  token?.kind === 'string' ||
  (token?.kind === 'word' && /^@/.test(token.text)) ||
  /^\d/.test(token?.text ?? '')

/** The place of `:=`, or of `=` after SET, DECLARE or at the start of a statement; -1 without an assignment. */
function findOperator(tokens: readonly SqlToken[], at: number): number {
  const before = tokens[at - 1]
  // UPDATE name SET column = value changes no variable.
  const isColumn = before?.text === 'set' && !isStart(tokens[at - 2]) && !/^@/.test(tokens[at]?.text ?? '')
  const isAtStart = isStart(before) && !isColumn
  let next = tokens[at + 1]?.text === '.' ? at + 3 : at + 1
  if (/^(?::=|\+=)$/.test(tokens[next]?.text ?? '')) return isAtStart || before?.text === ',' ? next : -1
  if (tokens[next]?.text === '=') {
    const isVariable = /^@/.test(tokens[at]?.text ?? '') && (isAtStart || before?.text === ',')
    return isAtStart || isVariable ? next : -1
  }
  // A declaration: name type := value.
  const isDeclared = isAtStart || before?.text === ','
  if (!isDeclared || tokens[next]?.kind !== 'word') return -1
  for (const limit = at + 12; next < limit && tokens[next] && tokens[next]?.kind !== 'end'; next++) {
    const text = tokens[next]?.text ?? ''
    if (text === ':=' || text === 'default' || (text === '=' && /^@/.test(tokens[at]?.text ?? '')))
      return next
    if (STARTS.has(text) || text === '=' || text === ',') return -1
  }
  return -1
}

const isStart = (token: SqlToken | undefined): boolean =>
  token === undefined || token.kind === 'end' || STARTS.has(token.text)

const expressionAt = (tokens: readonly SqlToken[], at: number): readonly SqlToken[] =>
  sliceUntil(tokens, at, (text) => EXPRESSION_ENDS.has(text) || STARTS.has(text))

const assignedAt = (tokens: readonly SqlToken[], at: number): readonly SqlToken[] =>
  splitArguments(expressionAt(tokens, at))[0] ?? []

const statementAt = (tokens: readonly SqlToken[], at: number): readonly SqlToken[] =>
  sliceUntil(tokens, at, (text) => STARTS.has(text) && text !== 'end' && text !== 'for')

/** Up to the end of the statement or a word outside of brackets and of CASE. */
function sliceUntil(
  tokens: readonly SqlToken[],
  at: number,
  ends: (word: string) => boolean,
): readonly SqlToken[] {
  let [depth, cases] = [0, 0]
  let next = at
  for (; next < tokens.length; next++) {
    if (next - at > EXPRESSION_MAX) throw new TooLongError()
    const { kind, text, isQuoted } = tokens[next] as SqlToken
    if (kind === 'end') break
    if (kind === 'sign' && text === '(') depth += 1
    if (kind === 'sign' && text === ')' && --depth < 0) break
    if (kind !== 'word' || isQuoted || depth > 0) continue
    if (text === 'case') cases += 1
    else if (cases > 0) {
      if (text === 'end') cases -= 1
    } else if (ends(text) && tokens[next - 1]?.text !== '.' && !isCallOf(tokens, next)) break
  }
  return tokens.slice(at, next)
}

/** IF(…) and REPLACE(…) of MySQL within an expression. */
const isCallOf = (tokens: readonly SqlToken[], at: number): boolean =>
  tokens[at]?.text === 'if' &&
  tokens[at + 1]?.text === '(' &&
  /^(?:,|\|\||\+|=|:=)$/.test(tokens[at - 1]?.text ?? '')

/** Up to ELSE or END of the same level. Without THEN and BEGIN, the branch is one statement. */
function endOfBranch(tokens: readonly SqlToken[], at: number): number {
  const isOneStatement = !/^(?:then|begin)$/.test(tokens[at]?.text ?? '')
  let depth = 0
  for (let next = at + 1; next < tokens.length; next++) {
    const { kind, text, isQuoted } = tokens[next] as SqlToken
    if (isOneStatement && (kind === 'end' || STARTS.has(text))) return next
    if (kind !== 'word' || isQuoted) continue
    if (/^(?:if|case|loop|begin)$/.test(text) && tokens[next - 1]?.text !== 'end') depth += 1
    if (depth === 0 && /^(?:else|elsif|elseif|end)$/.test(text)) return next
    if (text === 'end') depth -= 1
  }
  return tokens.length
}

/** Longer conditions are not understood. */
const CONDITION_MAX = 400

function endOfCondition(tokens: readonly SqlToken[], at: number): number {
  let depth = 0
  let next = at
  for (; next < Math.min(tokens.length, at + CONDITION_MAX); next++) {
    const { kind, text } = tokens[next] as SqlToken
    if (kind === 'end') break
    if (kind === 'sign' && text === '(') depth += 1
    if (kind === 'sign' && text === ')') depth -= 1
    if (
      depth <= 0 &&
      (text === 'then' || text === 'begin' || text === 'do' || text === 'loop' || FAILS.has(text))
    )
      break
    if (depth <= 0 && (text === 'exec' || text === 'execute' || text === 'set')) break
  }
  return next
}
