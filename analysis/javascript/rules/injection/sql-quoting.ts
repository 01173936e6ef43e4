// Rules about SQL text whose values or names are quoted by hand: query builders, dialects and drivers.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { Expr } from '../../../ir.ts'
import type { AssignEvent, CallEvent, EventContext, Hit, ReturnEvent, Rule } from '../../../rule.ts'
import { escapeRegex } from '../../../rule-helpers/escape-regex.ts'
import { memoizeByText } from '../../../rule-helpers/memoize-by-text.ts'
import { regexOf } from '../../model/regex-characters.ts'
import { constantText, findTaint, flowHit } from '../taint-flow.ts'

export const sqlQuotingRules: readonly Rule[] = [
  {
    id: 'JS-SQL-02',
    title: 'A value is quoted for SQL, but the quotes in it are not escaped',
    cwe: 89,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'A quote inside the value ends the literal or the name. The rest is parsed as SQL, even if the caller passes the value as a name or as a key.',
    fix: 'Pass values as parameters. In names and literals that must be quoted, double every closing quote: `name.replace(/"/g, \'""\')`, and in MySQL also double every backslash.',
    on: {
      call: (event) =>
        firstQuoteHit(event) ?? (isBuilderCall(event) ? valueHit(event, event.args) : undefined),
      assign: (event) => quotedNameHit(event) ?? valueHit(event, [event]),
      return: (event) => quotedNameHit(event) ?? valueHit(event, [event]),
    },
  },
]

const isSqlText = memoizeByText((text) => SQL_FILE.test(text))
const SQL_FILE =
  /\b(?:SELECT\s[^;]{0,300}\bFROM|INSERT INTO|DELETE FROM|ALTER TABLE|CREATE TABLE|WHERE|ORDER BY)\b|\b(?:postgres|mysql|sqlite|mssql|mariadb|sequelize|knex)\b/

/** `name.replace("'", "''")` replaces only the first quote. */
function firstQuoteHit(event: CallEvent): Hit | undefined {
  if (event.method !== 'replace' || !isSqlText(event.text)) return undefined
  const [pattern, by] = [event.arg(0)?.value, event.arg(1)?.value.known]
  if (typeof by !== 'string' || !/^(?:''|\\'|""|``|\]\])$/.test(by) || event.receiver?.known !== undefined)
    return undefined
  const regex = regexOf(pattern)
  const isFirst = regex ? !regex.flags.includes('g') : typeof pattern?.known === 'string'
  return isFirst ? { at: event.expr.at, detail: 'Only the first quote is replaced.' } : undefined
}

/** A helper such as `escapeName` or `quotedTable` returns the text between quotes without changing it. */
function quotedNameHit(event: ReturnEvent | AssignEvent): Hit | undefined {
  const [inner] = event.functions
  if (!inner || !event.expr || !QUOTING.test(inner.name || methodName(event)) || !isSqlText(event.text))
    return undefined
  const [open, quoted, close, ...rest] = partsOf(event.expr)
  if (typeof open !== 'string' || typeof close !== 'string' || rest.length > 0) return undefined
  if (CLOSING[open] !== close || quoted === undefined || typeof quoted === 'string') return undefined
  const own = event.source(inner.at)
  return isUnescaped(quoted, close, own, event.source) ? { at: event.expr.at } : undefined
}

/** The name before an anonymous function: `wrapIdentifier: function (value) {`. */
function methodName({ functions: [inner], text }: EventContext): string {
  const before = inner ? text.slice(Math.max(0, inner.at.start - NAME_LENGTH), inner.at.start) : ''
  return /([\w$]+)\s*(?:=|:)\s*$/.exec(before)?.[1] ?? ''
}
const NAME_LENGTH = 60

const CLOSING: Readonly<Record<string, string>> = { '"': '"', '`': '`', '[': ']', "'": "'" }
const QUOTING = /quote|escape|wrap|delimit|tick|ident/i

/** The constants and expressions of a template or a concatenation, in order. */
function partsOf(expr: Expr): (string | Expr)[] {
  if (expr.kind === 'literal' && typeof expr.value === 'string') return expr.value === '' ? [] : [expr.value]
  if (expr.kind === 'template' && expr.tag === null) return expr.parts.flatMap(partsOf)
  if (expr.kind === 'binary' && expr.operator === '+') return [...partsOf(expr.left), ...partsOf(expr.right)]
  if (expr.kind === 'same') return partsOf(expr.value)
  if (expr.kind === 'conditional')
    return partsOf(expr.then).length >= 3 ? partsOf(expr.then) : partsOf(expr.otherwise)
  return [expr]
}

function isUnescaped(expr: Expr, close: string, own: string, source: EventContext['source']): boolean {
  if (expr.kind === 'name' || expr.kind === 'member') {
    const isPrepared = new RegExp(
      `${escapeRegex(source(expr.at))}\\s*=[^=>][^;\\n]*(?:replace|escape|quote|split|sanit|wrap)`,
      'i',
    ).test(own)
    return !isPrepared && !CHECKED.test(own)
  }
  if (expr.kind !== 'call' || expr.callee.kind !== 'member' || expr.callee.property !== 'replace')
    return false
  const [pattern, by] = expr.args.map(({ value }) => value)
  if (pattern?.kind !== 'regex' || by?.kind !== 'literal') return false
  const escaped = pattern.source.includes(close) && by.value !== close
  return !escaped || !pattern.flags.includes('g')
}

/** The name is compared with a pattern or rejected, so it contains no quote. */
const CHECKED = /\.(?:test|match|search)\(|\bthrow\b|\.(?:includes|indexOf)\(\s*(?:['"`]|quote)/

/** The text of a builder: `sql.push(…)`, `new ParameterizedSQL(…)`. */
const isBuilderCall = ({ method, isNew, name }: CallEvent): boolean =>
  /^(?:push|append|concat|unshift)$/.test(method) || (isNew && /sql|query|statement|clause/i.test(name))

type Written = { readonly value: AbstractValue }

function valueHit(
  event: CallEvent | AssignEvent | ReturnEvent,
  written: readonly Written[],
): Hit | undefined {
  if (!isSqlText(event.text)) return undefined
  for (const { value } of written) {
    const quoted = value.pieces && value.known === undefined ? quotedValue(value) : undefined
    if (!quoted) continue
    if (event.expr && HAND_QUOTED.test(event.source(event.expr.at)))
      return flowHit(event.expr.at, quoted, FLOW)
  }
  return undefined
}

/** Queries of a catalog name tables and constraints. The developer chooses these. */
const FLOW = {
  sinks: ['sql'],
  origins: ['parameter', 'request'],
  except: /table|schema|constraint|catalog|database|index|column|field|attribute|ident|name$/i,
} as const

/** The quotes are in this expression, not in a variable that was reported before. */
const HAND_QUOTED = /'%?\$\{|'%?["'`]\s*(?:\+|\.concat)/

/** A value of the caller between quotes where SQL expects a literal: `->>'${path}'`, `= '${name}'`. */
function quotedValue(value: AbstractValue): AbstractValue | undefined {
  const { pieces = [] } = value
  if (!SQL_PART.test(constantText(value))) return undefined
  const found = pieces.find((piece, index) => {
    const [before, after] = [pieces[index - 1], pieces[index + 1]]
    return (
      typeof piece !== 'string' &&
      typeof before === 'string' &&
      typeof after === 'string' &&
      LITERAL_START.test(before) &&
      /^%?'/.test(after) &&
      findTaint(piece, FLOW) !== undefined
    )
  })
  return typeof found === 'object' ? found : undefined
}

/** Syntax that only SQL has, in upper case where it is a word. */
const SQL_PART =
  /\b(?:SELECT|FROM|WHERE|AND|OR|VALUES|SET|LIKE|JOIN|TABLE|IN|LIMIT)\b|->>?'|@@|@>|::\w|\bjson_extract\b|\bto_ts\w+\(/
const LITERAL_START = /(?:[=<>(,]|->>?|@@|\b(?:LIKE|IN|AND|VALUES|THEN|ELSE|SELECT))\s*'%?$/i
