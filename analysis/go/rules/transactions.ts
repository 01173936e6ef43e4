import { isType } from '../../engine/name-patterns.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'

/** Transactions of which nobody knows whether they happened. */
export const ignoredCommit: Rule = {
  id: 'GO-TX-01',
  title: 'Error of a commit ignored',
  cwe: 252,
  severity: 'warn',
  confidence: 'medium',
  languages: ['go'],
  message:
    'A commit can fail: the connection is gone, a constraint is checked late, another transaction was first. Ignored, the program goes on as if money had moved that did not.',
  fix: 'Return its error: `if err := tx.Commit(); err != nil { return err }`.',
  on: { call: findCommit },
}

function findCommit(event: CallEvent): Hit | undefined {
  const { method, receiver, isUsed, args, expr, source } = event
  if (method !== 'Commit' || isUsed || args.length > 1 || expr.callee.kind !== 'member') return undefined
  const isTransaction =
    isType(receiver?.type, 'sql.Tx') || isType(receiver?.type, 'pgx.Tx') || isType(receiver?.type, 'sqlx.Tx')
  const isNamedSo =
    receiver?.type === undefined &&
    /^(tx|trx|sqlTx|dbTx)$/.test(source(expr.callee.object.at)) &&
    event.imports(/database\/sql|sqlx|pgx|pgtype/)
  return isTransaction || isNamedSo ? { at: expr.at } : undefined
}
