import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { findTaintedInterpolation, flowHit, isDirectRequest } from '../../rule-helpers/interpolations.ts'
import { findSqlInjection, isSql } from '../../rule-helpers/sql-interpolations.ts'

/** SQL that is put together from what somebody sent. */
export const sqlInjection: Rule = {
  id: 'GO-SQL-01',
  title: 'SQL built from input',
  cwe: 89,
  severity: 'error',
  confidence: 'high',
  languages: ['go'],
  message:
    'A value from outside becomes part of an SQL statement. Whoever sends it can end the text it stands in and add statements of their own: read other rows, change them, get past the sign-in.',
  fix: 'Pass values as arguments (`db.Query("… where id = $1", id)`); choose names of columns and directions from a list of your own.',
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

/** Builders take a piece of SQL as their first argument, and values behind it. */
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
  return found && flowHit(event.expr.at, found.taint, 'a piece of SQL')
}
