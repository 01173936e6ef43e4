// Rules about SQL built from input.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { CallEvent, Hit, Rule } from '../../../rule.ts'
import { constantText, findTaint, flowHit } from '../taint-flow.ts'

export const sqlRules: readonly Rule[] = [
  {
    id: 'JS-SQL-01',
    title: 'An SQL statement is built from input',
    cwe: 89,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message:
      'A quote in the value ends the string literal. The rest is parsed as SQL and can read or change other rows.',
    fix: 'Pass values as parameters (`$1`, `?`), and take table and column names from a fixed list.',
    on: {
      call(event) {
        const statement = statementOf(event)
        return statement && statementHit(event, statement)
      },
    },
  },
]

function statementOf(event: CallEvent): AbstractValue | undefined {
  const { method, name } = event
  if (RAW.has(method)) return textOf(event.arg(0)?.value)
  if (!QUERIES.has(method) || event.receiver === null || NOT_SQL.test(name)) return undefined
  const first = event.arg(0)?.value
  const statement = textOf(first) ?? textOf(event.option('sql')) ?? textOf(event.option('text'))
  if (!statement) return undefined
  return SQL.test(constantText(statement)) || isWholeStatement(event, statement) ? statement : undefined
}

/** The request supplies the whole statement, and the receiver is a database. */
function isWholeStatement(event: CallEvent, statement: AbstractValue): boolean {
  const { pieces } = statement
  if (pieces && (typeof pieces[0] === 'string' ? pieces[0].trim() : '') !== '') return false
  const taint = findTaint(statement, { sinks: ['sql'] })
  if (!taint || taint.unknownCalls > 0 || event.receiver?.taints.length !== 0) return false
  const { callee } = event.expr
  const receiver = callee.kind === 'member' ? event.source(callee.object.at) : ''
  if (ALWAYS_SQL.has(event.method) && DATABASE_NAME.test(receiver)) return true
  return event.imports(SQL_LIBRARIES) && (ALWAYS_SQL.has(event.method) || DATABASE_NAME.test(receiver))
}

const ALWAYS_SQL: ReadonlySet<string> = new Set([
  'query',
  'execute',
  'raw',
  'queryAsync',
  'executeSql',
  'queryRaw',
  'executeRaw',
])
const DATABASE_NAME =
  /(?:^|\.)_?(?:\w*(?:db|pool|conn|connection|database|sequelize|knex|mysql|postgres|pg|sqlite|prisma|dataSource|entityManager|queryRunner)|sql|trx)\d?(?:\(\))?$/i
const SQL_LIBRARIES =
  /^(?:pg|pg-promise|pg-pool|postgres|mysql2?(?:\/promise)?|promise-mysql|mariadb|sqlite3?|better-sqlite3|sql\.js|mssql|tedious|oracledb|knex|sequelize|typeorm|@prisma\/client|slonik|objection|node:sqlite)$/

const textOf = (value: AbstractValue | undefined): AbstractValue | undefined =>
  value && (value.pieces || value.type === 'string' || value.taints.length > 0) && !value.fields
    ? value
    : undefined

const RAW: ReadonlySet<string> = new Set([
  '$queryRawUnsafe',
  '$executeRawUnsafe',
  'whereRaw',
  'orderByRaw',
  'havingRaw',
  'joinRaw',
  'fromRaw',
])
const QUERIES: ReadonlySet<string> = new Set(
  'query execute exec run all get each raw queryAsync executeSql one any none oneOrNone many manyOrNone result prepare unsafe literal batch queryRaw executeRaw'.split(
    ' ',
  ),
)
const NOT_SQL = /^(?:child_process|shelljs|fs|path|axios|http|express|RegExp|document|window)\b/

/** An SQL statement, not a sentence that starts with the same word. */
const SQL =
  /^\s*(?:\(?\s*select\b[\s\S]*\bfrom\b|select\s+[\w.]+\(|insert\s+(?:ignore\s+)?into\b|replace\s+into\b|update\b[\s\S]*\bset\b|delete\s+from\b|(?:create|drop|alter|truncate)\s+(?:table|database|index|view|user|schema)\b|with\s+\w+\s+as\b|call\s+\w|exec\s+\w|use\s|show\s|set\s)|\bwhere\b[\s\S]*(?:=|\blike\b|\bin\b)/i

function statementHit(event: CallEvent, statement: AbstractValue): Hit | undefined {
  const hit = flowHit(event.expr.at, statement, FLOW)
  if (!hit) return undefined
  if (findTaint(statement, { sinks: ['sql'] })) return hit
  return isValuePosition(statement) && !isOwnQuery(event) ? hit : undefined
}

/** `this.query(…)`: the class is a driver, and its callers are checked instead. */
const isOwnQuery = ({ expr: { callee } }: CallEvent): boolean =>
  callee.kind === 'member' && callee.object.kind === 'name' && callee.object.name === 'this'

const FLOW = { sinks: ['sql'], origins: ['request', 'parameter'] } as const

/** The value of the caller is in the position of a value. Callers may choose table and column names. */
function isValuePosition({ pieces }: AbstractValue): boolean {
  if (!pieces || !SQL.test(constantText({ taints: [], pieces }))) return false
  return pieces.some((piece, index) => {
    const before = pieces[index - 1]
    if (typeof piece === 'string' || typeof before !== 'string' || !findTaint(piece, FLOW)) return false
    return /(?:=|<|>|\blike)\s*['"]?%?$|\(\s*'$|,\s*'$/i.test(before)
  })
}
