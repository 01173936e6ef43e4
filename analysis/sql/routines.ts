// Finds the functions and procedures of a script, with their parameters that hold text.
import type { SqlToken } from './tokens.ts'

export type Routine = {
  /** Of parameters with text, in lower case. */
  readonly parameters: readonly string[]
  readonly isTrigger: boolean
  /** The tokens after the parameters. */
  readonly body: readonly SqlToken[]
}

const ROUTINE = new Set(['function', 'procedure', 'proc', 'trigger'])
/** `CREATE DEFINER = name FUNCTION`, and other words before it. */
const BEFORE_MAX = 20
const MODES = new Set(['in', 'inout', 'variadic', 'nocopy'])
/** Types that can hold SQL. Values of numbers, dates, identifiers and `regclass` cannot. */
const TEXT_TYPES = new Set(
  `text varchar char character nvarchar nchar ntext varchar2 nvarchar2 clob nclob longtext mediumtext tinytext string name
  citext bpchar json jsonb xml sysname sql_variant anyelement anyarray hstore long`.split(/\s+/),
)

export function findRoutines(tokens: readonly SqlToken[]): Routine[] {
  const headers = tokens.flatMap((token, at) =>
    token.kind === 'word' && ROUTINE.has(token.text) && isDefinition(tokens, at) ? [at] : [],
  )
  const ends = tokens.flatMap(({ isBatchEnd }, at) => (isBatchEnd ? [at] : []))
  let nextEnd = 0
  return headers.map((at, place) => {
    while ((ends[nextEnd] ?? tokens.length) < at) nextEnd += 1
    const end = Math.min(headers[place + 1] ?? tokens.length, ends[nextEnd] ?? tokens.length)
    const all = tokens.slice(at + 1, end)
    const { parameters, length } = readParameters(all)
    const body = all.slice(length)
    return { parameters, body, isTrigger: tokens[at]?.text === 'trigger' || returnsTrigger(body) }
  })
}

/** `CREATE … FUNCTION`, `ALTER PROC`, or a member of a package. Grants, drops and triggers only name a routine. */
function isDefinition(tokens: readonly SqlToken[], at: number): boolean {
  let start = at
  while (start > 0 && at - start < BEFORE_MAX && tokens[start - 1]?.kind !== 'end') start -= 1
  const before = tokens.slice(start, at).map(({ text }) => text)
  const isCreated = before.includes('create') || before.includes('alter')
  const last = before.at(-1) ?? ''
  if (last === 'execute' || last === 'on' || last === 'drop') return false
  return isCreated || PACKAGE_STARTS.has(last)
}
const PACKAGE_STARTS = new Set(['', 'is', 'as', 'begin'])

function readParameters(tokens: readonly SqlToken[]): { parameters: string[]; length: number } {
  let at = 1
  while (tokens[at]?.text === '.') at += 2
  const isListed = tokens[at]?.text === '('
  if (!isListed && !/^@\w/.test(tokens[at]?.text ?? '')) return { parameters: [], length: at }
  const items: SqlToken[][] = [[]]
  let depth = 0
  let next = isListed ? at + 1 : at
  for (; next < tokens.length; next++) {
    const token = tokens[next]
    if (!token || token.kind === 'end') break
    if (token.text === ')' && depth === 0) break
    if (!isListed && depth === 0 && !token.isQuoted && HEADER_ENDS.has(token.text) && !isTypeAs(tokens, next))
      break
    if (token.kind === 'sign' && token.text === '(') depth += 1
    if (token.kind === 'sign' && token.text === ')') depth -= 1
    if (token.text === ',' && depth === 0) items.push([])
    else items.at(-1)?.push(token)
  }
  return { parameters: items.flatMap(textParameter), length: isListed ? next + 1 : next }
}
const HEADER_ENDS = new Set(['as', 'with', 'for', 'begin'])

/** `@name AS nvarchar(100)` */
const isTypeAs = (tokens: readonly SqlToken[], at: number): boolean =>
  tokens[at]?.text === 'as' &&
  /^@/.test(tokens[at - 1]?.text ?? '') &&
  TEXT_TYPES.has(tokens[at + 1]?.text ?? '')

/** The name of a parameter with text, and its number, as PostgreSQL writes it. */
function textParameter(item: readonly SqlToken[], place: number): string[] {
  const words = item
    .slice(0, endOfType(item))
    .filter(({ kind, text }) => kind === 'word' && !MODES.has(text) && text !== 'as')
  if (words[0]?.text === 'out' || words[1]?.text === 'out') return []
  const number = `$${place + 1}`
  const type = words.slice(words.length === 1 ? 0 : 1).find(({ text }) => TEXT_TYPES.has(text))
  if (type === undefined) return []
  return words.length === 1 ? [number] : [words[0]?.text ?? '', number]
}

/** Before a default value. */
function endOfType(item: readonly SqlToken[]): number {
  const at = item.findIndex(({ text }) => text === 'default' || text === ':=' || text === '=')
  return at === -1 ? item.length : at
}

function returnsTrigger(body: readonly SqlToken[]): boolean {
  const at = body.findIndex(({ text }) => text === 'returns')
  return body[at + 1]?.text === 'trigger'
}
