import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { findTaintedInterpolation, flowHit, isDirectRequest } from '../../rule-helpers/interpolations.ts'
import { findSqlInjection, isSql } from '../../rule-helpers/sql-interpolations.ts'
import { words } from '../model/values.ts'

/** Rules about SQL built from input. */
export const sqlInjection: Rule = {
  id: 'PH-SQL-01',
  title: 'An SQL statement is built from input',
  cwe: 89,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message:
    'Input becomes part of an SQL statement. An attacker can end the string literal and add SQL: read or change other rows, or bypass the sign-in.',
  fix: 'Prepare the statement and bind the values (`$pdo->prepare("… where id = ?")->execute([$id])`). Take column names and sort directions from a fixed list.',
  on: { call: findSql },
}

const FUNCTIONS = new Set(
  words(
    `mysqli_query mysql_query mysqli_multi_query mysqli_real_query mysqli_prepare mysql_db_query mysql_unbuffered_query pg_query
     pg_send_query pg_prepare sqlite_query sqlite_exec odbc_exec odbc_prepare mssql_query sqlsrv_query sqlsrv_prepare db2_exec
     oci_parse ibase_query db_query`,
  ),
)
const METHODS = new Set(
  words(
    `query exec multi_query real_query prepare get_results get_row get_var get_col executeQuery executeStatement fetchAssociative
     fetchAllAssociative fetchOne fetchAll createQuery createNativeQuery createSQLQuery querySingle unprepared statement select
     insert update delete executeUpdate fetchColumn fetchAssoc fetchRow getOne getAll getRow rawQuery simpleQuery`,
  ),
)
const PIECES = new Set(words('raw whereRaw orWhereRaw selectRaw orderByRaw havingRaw groupByRaw fromRaw'))

function findSql(event: CallEvent): Hit | undefined {
  if (PIECES.has(event.method) && event.receiver) return inPiece(event)
  const isFunction = !event.receiver && FUNCTIONS.has(event.name)
  if (!isFunction && !(event.receiver && METHODS.has(event.method))) return undefined
  for (const { value } of event.args.slice(0, 2)) {
    if (!isSql(value)) continue
    const found = findSqlInjection(value)
    if (found) return flowHit(event.expr.at, found.taint, 'an SQL statement')
  }
  return isFunction || isConnection(event) ? wholeStatement(event) : undefined
}

/** `$pdo->query($_GET['q'])`: the object is a connection by its type or its name. */
const isConnection = ({ method, receiver, expr, source }: CallEvent): boolean =>
  /^(?:query|exec|prepare|multi_query|real_query|get_results|get_row|get_var|unprepared|statement|executeQuery|executeStatement)$/.test(
    method,
  ) &&
  (/^\\?(?:PDO|mysqli|SQLite3|wpdb)$/i.test(receiver?.type ?? '') ||
    (expr.callee.kind === 'member' &&
      /\$(?:this->)?(?:\w*(?:pdo|db|dbh|mysqli|wpdb)|conn(?:ection)?)$|^DB$/i.test(
        source(expr.callee.object.at),
      )))

/** A whole statement from the request. */
function wholeStatement(event: CallEvent): Hit | undefined {
  for (const { value } of event.args.slice(0, event.receiver ? 1 : 2)) {
    const found = findTaintedInterpolation(
      value,
      ['sql'],
      (taint, { before, after }) => isDirectRequest(taint) && before + after === '',
    )
    if (found) return flowHit(event.expr.at, found.taint, 'an SQL statement')
  }
  return undefined
}

/** Raw methods of Laravel take SQL fragments. */
function inPiece(event: CallEvent): Hit | undefined {
  // Other libraries also have a method named raw.
  const isOfDatabase = event.method !== 'raw' || /(^|\.)(DB|Db)$/.test(event.receiver?.name ?? '')
  const value = isOfDatabase ? event.arg(0)?.value : undefined
  const found = value && findTaintedInterpolation(value, ['sql'], isDirectRequest)
  return found && flowHit(event.expr.at, found.taint, 'an SQL fragment')
}
