// Recognizes writes of records that are not paid yet: `create({ status: 'pending' })`.
import type { Expr, ExprOf } from '../../ir.ts'

const NOT_PAID =
  /^(?:pending\w*|initiated|initiali[sz]ed|created|processing|new|unpaid|failed|cancel+ed|abandoned|awaiting\w*)$/i

/** Only the written values count: in `updateOne(filter, change)` and `{ where, data }` the filter does not. */
export function isPending({ args }: ExprOf<'call'>): boolean {
  if (args.some(({ name, value }) => name !== null && isPendingEntry(name, value))) return true
  const last = args.findLast(({ name, value }) => name === null && unwrap(value).kind === 'map')
  return last !== undefined && isPendingRecord(unwrap(last.value))
}

function isPendingRecord(record: Expr): boolean {
  if (record.kind !== 'map') return false
  const inner = record.entries.find(
    ({ key }) => key?.kind === 'literal' && /^(?:data|\$set|defaults|values)$/.test(String(key.value)),
  )
  if (inner) return isPendingRecord(unwrap(inner.value))
  return record.entries.some(
    ({ key, value }) => key?.kind === 'literal' && isPendingEntry(String(key.value), value),
  )
}

const unwrap = (expr: Expr): Expr => (expr.kind === 'same' ? unwrap(expr.value) : expr)

const isPendingEntry = (key: string, value: Expr): boolean =>
  /status|state/i.test(key) &&
  ((value.kind === 'literal' && NOT_PAID.test(String(value.value))) ||
    (value.kind === 'member' && NOT_PAID.test(value.property)))
