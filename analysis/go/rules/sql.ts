import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { findTaintedInterpolation, flowHit, isDirectRequest } from '../../rule-helpers/interpolations.ts'
import { findSqlInjection, isSql } from '../../rule-helpers/sql-interpolations.ts'

/** Rules about SQL built from input. */
export const sqlInjection: Rule = {
  id: 'GO-SQL-01',
  title: 'An SQL statement is built from input',
  cwe: 89,
  severity: 'error',
  confidence: 'high',
  languages: ['go'],
  message:
    'Input becomes part of an SQL statement. An attacker can end the string literal and add SQL: read or change other rows, or bypass the sign-in.',
  fix: 'Pass values as arguments (`db.Query("… where id = $1", id)`). Take column names and sort directions from a fixed list.',
  on: { call: findSql },
}

const STATEMENTS = new Set(
  (
    'Query QueryRow QueryContext QueryRowContext Exec ExecContext Prepare PrepareContext Queryx QueryRowx QueryxContext ' +
    'MustExec NamedExec NamedQuery Get Select GetContext SelectContext Raw NewRaw SendQuery Rebind'
  ).split(' '),
)

function findSql(event: CallEvent): Hit | undefined {
  if (!event.receiver) return undefined
  if (CONDITIONS.has(event.method)) return inCondition(event)
  if (!STATEMENTS.has(event.method)) return undefined
  for (const { value } of event.args.slice(0, 3)) {
    if (!isSql(value)) continue
    const found = findSqlInjection(value)
    if (found) return flowHit(event.expr.at, found.taint, 'an SQL statement')
  }
  return undefined
}

const CONDITIONS = new Set(['Where', 'Or', 'Not', 'Having', 'Order', 'OrderBy', 'Group', 'GroupBy', 'Joins'])

/** Query builders take an SQL fragment as the first argument, then the values. */
function inCondition(event: CallEvent): Hit | undefined {
  const { receiver } = event
  const isBuilder = event.imports(/gorm|squirrel|goqu|xorm|\/bun$/) || /gorm|DB$/.test(receiver?.type ?? '')
  const value = event.arg(0)?.value
  if (!isBuilder || !value) return undefined
  const isOrder = /^(Order|Group)/.test(event.method)
  const found = findTaintedInterpolation(
    value,
    ['sql'],
    (taint, { before, after }) => isDirectRequest(taint) && (isOrder || before + after !== ''),
  )
  return found && flowHit(event.expr.at, found.taint, 'an SQL fragment')
}
