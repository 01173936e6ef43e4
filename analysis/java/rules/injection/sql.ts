// SQL put together from texts.
import type { CallEvent, Rule } from '../../../rule.ts'
import { flowInto, isMethodOf, piecesOf, shapeOf } from '../taint-flow.ts'

const STATEMENTS = ['java.sql.Statement', 'java.sql.PreparedStatement', 'java.sql.CallableStatement']
const TEMPLATES = [
  'org.springframework.jdbc.core.JdbcTemplate',
  'org.springframework.jdbc.core.JdbcOperations',
  'org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate',
  'org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations',
  'org.springframework.jdbc.core.simple.JdbcClient',
]
const MANAGERS = [
  'javax.persistence.EntityManager',
  'org.hibernate.Session',
  'org.hibernate.StatelessSession',
  'org.hibernate.SharedSessionContract',
]

export const sqlInjection: Rule = {
  id: 'JV-SQL-01',
  title: 'SQL built from input',
  cwe: 89,
  severity: 'error',
  confidence: 'high',
  languages: ['java'],
  message:
    'Input becomes part of the text of an SQL statement. Whoever sends it can change what the statement does: read other rows, alter them, or delete them.',
  fix: 'Write the statement with `?` and set the values: `connection.prepareStatement("select … where id = ?")` and `setString(1, id)`. Take names of tables and columns from a fixed list.',
  on: {
    call(event) {
      if (!isSink(event)) return undefined
      return flowInto(event.expr.at, event.arg(0)?.value, {
        cleanedBy: ['sql'],
        unknownCallsMax: 1,
        isForParameters: isValueOfCaller(event),
      })
    },
  },
}

function isSink(event: CallEvent): boolean {
  return (
    isMethodOf(event, STATEMENTS, /^(execute|executeQuery|executeUpdate|executeLargeUpdate|addBatch)$/) ||
    isMethodOf(event, ['java.sql.Connection'], /^(prepareStatement|prepareCall|nativeSQL)$/) ||
    isMethodOf(event, TEMPLATES, /^(query\w*|update|batchUpdate|execute|sql)$/) ||
    isMethodOf(event, MANAGERS, /^create(Native|SQL|Selection|Mutation)?Query$/) ||
    isUnknownSink(event)
  )
}

/** Nobody told the type, but the method has one meaning and what it is given reads like SQL. */
function isUnknownSink(event: CallEvent): boolean {
  const { method, receiver } = event
  if (
    /jdbc_?template\W*$/i.test(event.source(event.expr.callee.at).replace(/\.\w+$/, '')) &&
    /^(query|update|execute)$/.test(method)
  )
    return receiver?.classDefinition === undefined
  const isTold =
    receiver?.type !== undefined && /[A-Z]/.test(receiver.type) && receiver.classDefinition === undefined
  return (
    !isTold &&
    /^(executeQuery|executeUpdate|prepareStatement|prepareCall|createNativeQuery|createSQLQuery|queryFor\w+|batchUpdate)$/.test(
      method,
    ) &&
    isWritten(event)
  )
}

/** A text of SQL with something put into it. A whole statement from a caller is what the method is for. */
function isWritten({ arg }: CallEvent): boolean {
  const value = arg(0)?.value
  return (
    value !== undefined &&
    /\b(select|insert\s+into|update|delete\s+from|call|merge\s+into|from|where)\b[\s\S]*\u0000/i.test(
      shapeOf(value),
    )
  )
}

/** What the caller of this very method gives, put where a value stands: names of tables are settings more often than not. */
function isValueOfCaller(event: CallEvent): boolean {
  const value = event.arg(0)?.value
  const names =
    event.functions[0]?.parameters.flatMap(({ target }) => (target.kind === 'name' ? [target.name] : [])) ??
    []
  const pieces = value ? piecesOf(value) : []
  return (
    isWritten(event) &&
    pieces.some((piece, index) => {
      const before = pieces[index - 1]
      const isGiven =
        typeof piece !== 'string' &&
        piece.taints.some(({ label }) => names.includes(label.replace(/^argument /, '')))
      return isGiven && typeof before === 'string' && /(['"%(]|[=<>]|\b(like|in))\s*$/i.test(before)
    })
  )
}
