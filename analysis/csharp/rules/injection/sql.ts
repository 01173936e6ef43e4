// Rules about SQL built from input.

import type { AbstractValue } from '../../../abstract-value.ts'
import { isValueOfCaller, isWritten } from '../../../java/rules/injection/sql.ts'
import { flowHit } from '../../../java/rules/taint-flow.ts'
import type { CallEvent, Rule } from '../../../rule.ts'

const COMMAND = /^(?:Sql|Npgsql|MySql|Sqlite|SQLite|Oracle|OleDb|Odbc|Db2|DB2|SqlCe)(?:Command|DataAdapter)$/
/** Entity Framework Core. The forms for interpolated strings make parameters of the values. */
const RAW =
  /^(?:FromSqlRaw|ExecuteSqlRaw(?:Async)?|SqlQueryRaw|ExecuteSqlCommand(?:Async)?|CreateSQLQuery|CreateNativeQuery)$/
/** Dapper and similar libraries, whose methods are extensions of the connection. */
const QUERY =
  /^(?:Query|Execute)(?:(?:First|Single)(?:OrDefault)?|Scalar|Reader|Multiple|Unbuffered)?(?:Async)?$/

export const sqlInjection: Rule = {
  id: 'CS-SQL-01',
  title: 'An SQL statement is built from input',
  cwe: 89,
  severity: 'error',
  confidence: 'high',
  languages: ['csharp'],
  message:
    'Input becomes part of an SQL statement. An attacker can change the statement: read, change or delete other rows.',
  fix: 'Write the statement with parameters: `command.Parameters.AddWithValue("@id", id)`, `connection.Query("… where id = @id", new { id })`, or `FromSqlInterpolated`. Take table and column names from a fixed list.',
  on: {
    call(event) {
      const statement = statementOf(event)
      return flowHit(event.expr.at, statement, {
        sinks: ['sql'],
        unknownCallsMax: 1,
        isForParameters: statement !== undefined && isValueOfCaller(event),
      })
    },
    assign: ({ name, value, expr, isEntry }) =>
      name === 'CommandText' && !isEntry
        ? flowHit(expr.at, value, { sinks: ['sql'], unknownCallsMax: 1 })
        : undefined,
  },
}

function statementOf(event: CallEvent): AbstractValue | undefined {
  const { name, method, isNew, receiver } = event
  if (isNew && COMMAND.test(name))
    return event.arg(0)?.value ?? event.option('{}')?.fields?.get('CommandText')
  if (receiver?.classDefinition) return undefined
  if (RAW.test(method)) return event.arg(0)?.value
  if (!QUERY.test(method) || !receiver) return undefined
  return isWritten(event) || event.imports('Dapper') ? event.arg(0)?.value : undefined
}
