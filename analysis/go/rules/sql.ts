import { type CallEvent, type Hit, type Rule, worstTaint } from '../../rule.ts'
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
  if (INLINE.has(event.method)) return inlineCondition(event)
  if (!STATEMENTS.has(event.method)) return undefined
  for (const { value } of event.args.slice(0, 3)) {
    if (!isSql(value)) continue
    const found = findSqlInjection(value)
    if (found) return flowHit(event.expr.at, found.taint, 'an SQL statement')
  }
  return findWholeStatement(event)
}

/** The whole statement comes from the request: `db.Query(r.FormValue("q"))`. */
function findWholeStatement(event: CallEvent): Hit | undefined {
  if (!isDatabase(event)) return undefined
  const statement = event.args
    .slice(/^(?:Get|Select)/.test(event.method) ? 1 : 0)
    .find(({ expr }) => !CONTEXT.test(event.source(expr.at)))
  const taint = statement && worstTaint(statement.value, ['sql'])
  const isText = statement?.value.fields === undefined && !NUMBER.test(statement?.value.type ?? '')
  return taint && isText && isDirectRequest(taint)
    ? flowHit(event.expr.at, taint, 'the whole SQL statement')
    : undefined
}

const CONTEXT = /^(?:\w+\.)*(?:ctx|c|context)$|^context\.\w+\(|\.(?:Context|Ctx|UserContext)\(\)$/i
const NUMBER = /^(?:u?int\d*|float\d+|number|bool(?:ean)?)$/

const isDatabase = ({ receiver, expr, source }: CallEvent): boolean =>
  /(?:sql|sqlx|gorm|pgx|pgxpool|bun|xorm)(?:\/v\d+)?\.(?:DB|Tx|Conn|Pool|Engine|IDB)\b/.test(
    receiver?.type ?? '',
  ) ||
  (expr.callee.kind === 'member' &&
    /(?:^|\.)(?:\w*db|tx|conn|pool|database)$/i.test(source(expr.callee.object.at)))

const CONDITIONS = new Set(['Where', 'Or', 'Not', 'Having', 'Order', 'OrderBy', 'Group', 'GroupBy', 'Joins'])

const INLINE = new Set(['First', 'Last', 'Take', 'Find', 'Delete'])

/** GORM takes a string after the target as a condition: `db.First(&user, id)`. */
function inlineCondition(event: CallEvent): Hit | undefined {
  const value = event.arg(1)?.value
  if (!value || !event.imports(/gorm/) || value.fields || NUMBER.test(value.type ?? '')) return undefined
  const found = findTaintedInterpolation(value, ['sql'], (taint) => isDirectRequest(taint))
  return found && flowHit(event.expr.at, found.taint, 'an SQL condition')
}

/** Query builders take an SQL fragment as the first argument, then the values. */
function inCondition(event: CallEvent): Hit | undefined {
  const { receiver } = event
  const isBuilder = event.imports(/gorm|squirrel|goqu|xorm|\/bun$/) || /gorm|DB$/.test(receiver?.type ?? '')
  const value = event.arg(0)?.value
  if (!isBuilder || !value) return undefined
  const isOrder = /^(Order|Group)/.test(event.method)
  const isWhole = value.fields === undefined && value.type !== 'map' && !NUMBER.test(value.type ?? '')
  const found = findTaintedInterpolation(
    value,
    ['sql'],
    (taint, { before, after }) => isDirectRequest(taint) && (isOrder || isWhole || before + after !== ''),
  )
  return found && flowHit(event.expr.at, found.taint, 'an SQL fragment')
}
