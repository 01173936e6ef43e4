// Whether the text of an expression depends on a parameter that is not quoted.
import type { SqlToken } from './tokens.ts'

/** Lower-case names of variables, and of the parameter that each depends on. */
export type TaintedNames = ReadonlyMap<string, string>

/** Functions whose results contain the text of their arguments. Other functions quote, count or look up. */
const TEXT_CALLS = new Set(
  `concat concat_ws lower upper initcap trim btrim ltrim rtrim lpad rpad replace translate regexp_replace substr substring
  substring_index left right mid reverse repeat replicate stuff overlay split_part string_to_array regexp_split_to_array
  regexp_substr array_to_string array_agg array_append array_prepend array_cat array_remove unnest string_agg group_concat
  listagg coalesce nvl nvl2 isnull ifnull nullif greatest least max min to_char json_value json_query json_extract
  json_unquote json_extract_path_text jsonb_extract_path_text jsonb_array_elements_text json_array_elements_text
  formatmessage convert_from varchar char nchar unistr`.split(/\s+/),
)
const SAFE_TYPES =
  /^(?:(?:small|big|tiny|medium)?int(?:eger)?\d?|numeric|decimal|number|real|float\d?|double|money|bool(?:ean)?|bit|date|time|timestamp(?:tz)?|datetime\d?|interval|uuid|uniqueidentifier|oid|signed|unsigned|reg\w+)$/
const CASTS = new Set(['cast', 'try_cast', 'safe_cast'])
const CONVERSIONS = new Set(['convert', 'try_convert'])

/** The parameter that the value depends on; null if it is quoted or constant. */
export function taintOf(tokens: readonly SqlToken[], tainted: TaintedNames): string | null {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.kind !== 'word') {
      if (token?.text !== '(') continue
      const end = closeOf(tokens, at)
      const inner = tokens.slice(at + 1, end)
      const found = isSafeCast(tokens, end + 1) ? null : taintOfGroup(inner, tainted)
      if (found !== null) return found
      at = end
      continue
    }
    if (!token.isQuoted && token.text === 'case') {
      const end = endOfCase(tokens, at)
      const found = taintOfCase(tokens.slice(at + 1, end), tainted)
      if (found !== null) return found
      at = end
      continue
    }
    if (tokens[at + 1]?.text === '(') {
      const end = closeOf(tokens, at + 1)
      const found = isSafeCast(tokens, end + 1)
        ? null
        : taintOfCall(token.text, splitArguments(tokens.slice(at + 2, end)), tainted)
      if (found !== null) return found
      at = end
      continue
    }
    const parameter = tainted.get(token.text)
    // A column of a row of the trigger: `NEW.name`. Other members belong to other records.
    const isMember = tokens[at - 1]?.text === '.'
    if (
      parameter !== undefined &&
      !isMember &&
      !isSafeCast(tokens, endOfName(tokens, at)) &&
      !isTested(tokens, at)
    )
      return parameter
  }
  return null
}

function taintOfGroup(inner: readonly SqlToken[], tainted: TaintedNames): string | null {
  if (inner[0]?.text !== 'select') return taintOf(inner, tainted)
  const from = findWord(inner, 'from')
  if (from === -1) return taintOf(inner.slice(1), tainted)
  return taintOf(inner.slice(1, from), withElements(inner.slice(from + 1), tainted))
}

/** `FROM unnest(names) AS n` and `FROM string_split(@names, ',')` give the parts of a parameter their own names. */
function withElements(source: readonly SqlToken[], tainted: TaintedNames): TaintedNames {
  const open = source.findIndex(({ text }) => text === '(')
  if (open < 1) return tainted
  const end = closeOf(source, open)
  const parameter = taintOf(source.slice(open + 1, end), tainted)
  if (parameter === null) return tainted
  const aliases = source
    .slice(end + 1)
    .filter(({ kind, text }) => kind === 'word' && text !== 'as')
    .slice(0, 2)
  return new Map([
    ...tainted,
    ...['value', ...aliases.map(({ text }) => text)].map((each) => [each, parameter] as const),
  ])
}

function taintOfCall(name: string, args: readonly SqlToken[][], tainted: TaintedNames): string | null {
  const first = (parts: readonly (readonly SqlToken[])[]): string | null => {
    for (const part of parts) {
      const found = taintOf(part, tainted)
      if (found !== null) return found
    }
    return null
  }
  if (name === 'format') return first(unquotedArguments(args))
  if (name === 'if' || name === 'iif' || name === 'decode') return first(args.slice(1))
  if (CASTS.has(name)) {
    const as = findWord(args[0] ?? [], 'as')
    return SAFE_TYPES.test(args[0]?.[as + 1]?.text ?? '')
      ? null
      : first(args.map((each) => each.slice(0, as === -1 ? each.length : as)))
  }
  if (CONVERSIONS.has(name) && SAFE_TYPES.test(args[0]?.[0]?.text ?? args[1]?.[0]?.text ?? '')) return null
  if (CONVERSIONS.has(name) && SAFE_TYPES.test(args[1]?.[0]?.text ?? '')) return null
  // Doubled quotes: REPLACE(@name, '''', '''''')
  if (name === 'replace' && args[1]?.[0]?.text === "''" && args[2]?.[0]?.text === "''''") return null
  // Only listed characters stay.
  if (name === 'regexp_replace' && args[1]?.[0]?.text.startsWith('[^')) return null
  return TEXT_CALLS.has(name) || CONVERSIONS.has(name) ? first(args) : null
}

/** The arguments that `format` inserts as they are: `%s`. Those of `%I` and `%L` are quoted. */
function unquotedArguments([template, ...args]: readonly SqlToken[][]): readonly SqlToken[][] {
  const [text, ...more] = template ?? []
  if (text?.kind !== 'string' || more.length > 0) return [template ?? [], ...args]
  let next = 0
  const plain: SqlToken[][] = []
  for (const [, place, kind] of text.text.matchAll(/%(?:(\d+)\$)?-?(?:\d+|\*(?:\d+\$)?)?([sIL%])/g)) {
    if (kind === '%') continue
    const at = place === undefined ? next : Number(place) - 1
    next = at + 1
    if (kind === 's') plain.push(args[at] ?? [])
  }
  return plain
}

/** Only the results of a CASE are part of the value. */
function taintOfCase(tokens: readonly SqlToken[], tainted: TaintedNames): string | null {
  let isResult = false
  let depth = 0
  const results = tokens.filter(({ kind, text, isQuoted }) => {
    const word = kind === 'word' && !isQuoted ? text : ''
    if (word === 'case') depth += 1
    if (word === 'end') depth -= 1
    if (depth > 0) return isResult
    if (word === 'when') isResult = false
    else if (word === 'then' || word === 'else') isResult = true
    else return isResult
    return false
  })
  return taintOf(results, tainted)
}

function endOfCase(tokens: readonly SqlToken[], at: number): number {
  let depth = 0
  for (let next = at; next < tokens.length; next++) {
    const { kind, text, isQuoted } = tokens[next] as SqlToken
    if (kind !== 'word' || isQuoted) continue
    if (text === 'case') depth += 1
    if (text === 'end' && --depth === 0) return next
  }
  return tokens.length
}

const isSafeCast = (tokens: readonly SqlToken[], at: number): boolean =>
  tokens[at]?.text === '::' && SAFE_TYPES.test(tokens[at + 1]?.text ?? '')

/** After the columns, members and elements of a name. */
function endOfName(tokens: readonly SqlToken[], at: number): number {
  let next = at + 1
  while (tokens[next]?.text === '.') next += 2
  if (tokens[next]?.text === '[') while (next < tokens.length && tokens[next++]?.text !== ']');
  return next
}

/** `name IS NULL`, `name > 0`: the text of the statement does not depend on the value. */
const isTested = (tokens: readonly SqlToken[], at: number): boolean =>
  /^(?:is|in|like|ilike|=|<>|!=|<|>|<=|>=)$/.test(tokens[endOfName(tokens, at)]?.text ?? '')

export function splitArguments(tokens: readonly SqlToken[]): SqlToken[][] {
  const parts: SqlToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token.kind === 'sign' && token.text === '(') depth += 1
    if (token.kind === 'sign' && token.text === ')') depth -= 1
    if (token.kind === 'sign' && token.text === ',' && depth === 0) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

/** The place of the matching bracket, or the end. */
export function closeOf(tokens: readonly SqlToken[], open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]?.kind !== 'sign') continue
    if (tokens[at]?.text === '(') depth += 1
    if (tokens[at]?.text === ')' && --depth === 0) return at
  }
  return tokens.length
}

/** Outside of brackets; -1 if it is not there. */
export function findWord(tokens: readonly SqlToken[], word: string): number {
  let depth = 0
  return tokens.findIndex(({ kind, text, isQuoted }) => {
    if (kind === 'sign' && text === '(') depth += 1
    if (kind === 'sign' && text === ')') depth -= 1
    return depth === 0 && kind === 'word' && !isQuoted && text === word
  })
}
