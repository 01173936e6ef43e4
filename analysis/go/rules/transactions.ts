import { isType } from '../../engine/name-patterns.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'

/** Rules about database transactions. */
export const ignoredCommit: Rule = {
  id: 'GO-TX-01',
  title: 'The error of a commit is ignored',
  cwe: 252,
  severity: 'warn',
  confidence: 'medium',
  languages: ['go'],
  message:
    'A commit can fail: a lost connection, a deferred constraint, a conflict. If its error is ignored, the program continues as if the money had moved.',
  fix: 'Return its error: `if err := tx.Commit(); err != nil { return err }`.',
  on: { call: findCommit },
}

function findCommit(event: CallEvent): Hit | undefined {
  if (event.method !== 'Commit') return undefined
  const { receiver, isUsed, args, expr, source } = event
  if (isUsed || args.length > 1 || expr.callee.kind !== 'member') return undefined
  const isTransaction =
    isType(receiver?.type, 'sql.Tx') || isType(receiver?.type, 'pgx.Tx') || isType(receiver?.type, 'sqlx.Tx')
  const isNamedSo =
    receiver?.type === undefined &&
    /^(tx|trx|sqlTx|dbTx)$/.test(source(expr.callee.object.at)) &&
    event.imports(/database\/sql|sqlx|pgx|pgtype/)
  return isTransaction || isNamedSo ? { at: expr.at } : undefined
}
