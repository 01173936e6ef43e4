// Rules about SQL built from input.
import type { CallEvent, Rule } from '../../../rule.ts'
import { constantText, flowHit, isMethodOf, piecesOf } from '../taint-flow.ts'

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
  title: 'An SQL statement is built from input',
  cwe: 89,
  severity: 'error',
  confidence: 'high',
  languages: ['java'],
  message:
    'Input becomes part of an SQL statement. An attacker can change the statement: read, change or delete other rows.',
  fix: 'Write the statement with `?` and set the values: `connection.prepareStatement("select … where id = ?")` and `setString(1, id)`. Take table and column names from a fixed list.',
  on: {
    call(event) {
      if (!isSink(event)) return undefined
      return flowHit(event.expr.at, event.arg(0)?.value, {
        sinks: ['sql'],
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

/** The type is unknown, but the method is unambiguous and its argument looks like SQL. */
function isUnknownSink(event: CallEvent): boolean {
  const { method, receiver } = event
  if (
    /^(query|update|execute)$/.test(method) &&
    /jdbc_?template\W*$/i.test(event.source(event.expr.callee.at).replace(/\.\w+$/, ''))
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

/** An SQL text with an inserted value. A method that takes a whole statement does so by design. */
export function isWritten({ arg }: CallEvent): boolean {
  const value = arg(0)?.value
  return (
    value !== undefined &&
    /\b(select|insert\s+into|update|delete\s+from|call|merge\s+into|from|where)\b[\s\S]*\u0000/i.test(
      constantText(value),
    )
  )
}

/** A parameter of this method in the position of a value. Table names are usually settings. */
export function isValueOfCaller(event: CallEvent): boolean {
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
