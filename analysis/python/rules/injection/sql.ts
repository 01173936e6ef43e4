// Rules about SQL built from input.

import type { AbstractValue } from '../../../abstract-value.ts'
import { isCall } from '../../../engine/name-patterns.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { constantText, findTaint, flowHit, textBeforeTaints } from '../taint-flow.ts'

export const sql: Rule = {
  id: 'PY-SQL-01',
  title: 'An SQL statement is built from input',
  cwe: 89,
  severity: 'error',
  confidence: 'high',
  languages: ['python'],
  message:
    'The database cannot tell the statement from the value in it. A quote in the input changes what is read, changed or deleted.',
  fix: 'Use a placeholder and pass the value: `cursor.execute("select … where id = %s", (id,))`. Take table and column names from a fixed set.',
  on: {
    call(event) {
      const statement = statementOf(event)
      if (!statement) return undefined
      const isText = SQL.test(constantText(statement))
      const request = findTaint(statement, { sinks: ['sql'], unknownCallsMax: isText ? 1 : 0 })
      if (request && (isText || isDatabase(event))) return flowHit(event, request)
      const parameter = findTaint(statement, { sinks: ['sql'], isForParameters: true })
      return parameter &&
        isText &&
        !isInsideLayer(event, statement) &&
        textBeforeTaints(statement).some(isValuePosition)
        ? flowHit(event, parameter)
        : undefined
    },
  },
}

const METHODS = new Set([
  'execute',
  'executemany',
  'executescript',
  'raw',
  'exec_driver_sql',
  'from_statement',
  'fetch',
  'fetchrow',
  'fetchval',
  'fetch_all',
  'fetch_one',
  'execute_sql',
  'mogrify',
  'read_sql',
  'read_sql_query',
  'RawSQL',
  'text',
  'extra',
  'query',
])
const NAMED = [
  'sqlalchemy.text',
  'sqlalchemy.sql.text',
  'django.db.models.expressions.RawSQL',
  'pandas.read_sql',
  'pandas.read_sql_query',
]

function statementOf(event: CallEvent): AbstractValue | undefined {
  if (!METHODS.has(event.method)) return undefined
  if (event.method === 'extra')
    return event.option('where') ?? event.option('select') ?? event.option('order_by')
  const isBare = event.receiver === null
  if (isBare && !isCall(event, ...NAMED)) return undefined
  const first =
    event.arg(0)?.value ?? event.option('sql') ?? event.option('query') ?? event.option('statement')
  if (event.method === 'query' || event.method === 'text' || event.method === 'fetch')
    return first && SQL.test(constantText(first)) ? first : undefined
  return first
}

const SQL =
  /\b(?:select\b[\s\S]*\bfrom|insert\s+into|update\b[\s\S]*\bset|delete\s+from|drop\s+(?:table|database|user)|create\s+(?:table|database|user|index)|alter\s+(?:table|user)|union\s+select|where|order\s+by|call|exec(?:ute)?|values|pragma|grant|truncate)\b/i

/** Objects that execute something other than SQL rarely have these names. */
const isDatabase = (event: CallEvent): boolean =>
  /(?:cur|cursor|conn|connection|db|database|session|engine|sqlite|psycopg|mysql|objects|c)\w*(?:\(\))?\.\w+$/i.test(
    event.source(event.expr.callee.at),
  ) && event.method !== 'query'

/** A database layer builds the statements of its callers, and a pragma takes no placeholder. */
const isInsideLayer = (event: CallEvent, statement: AbstractValue): boolean =>
  event.method === 'execute_sql' ||
  METHODS.has(event.functions[0]?.name ?? '') ||
  /^(?:self|cls|super\(\))\.\w+$/.test(event.source(event.expr.callee.at)) ||
  /\bpragma\b/i.test(constantText(statement))

/** The position of a value, not of a table name: after a comparison or in quotes. */
const isValuePosition = (before: string): boolean =>
  /(?:=|<|>|\blike|\bin\s*\(|values\s*\([^)]*)\s*['"%]*$/i.test(before) || /['"]%?$/.test(before)
