// Rules about concurrent balance changes.
import type { Expr } from '../../ir.ts'
import type { AssignEvent, CallEvent, FunctionEvent, Hit, Rule } from '../../rule.ts'
import { bodyOf, LOCKED_OR_RELATIVE, lastNameOf, ROW_LOCKED } from '../context.ts'

export const balanceRules: readonly Rule[] = [
  {
    id: 'FIN-RACE-01',
    title: 'A balance is overwritten with a stale value',
    cwe: 362,
    severity: 'error',
    confidence: 'medium',
    languages: ['javascript', 'python', 'java', 'go', 'php', 'csharp', 'kotlin', 'ruby', 'dart'],
    message:
      'The new balance is computed in the program and written as an absolute value. With two concurrent requests, the second overwrites the first, and the same money is spent twice.',
    fix: 'Let the database compute it under a condition: update wallets set balance = balance - $1 where id = $2 and balance >= $1, and check the number of changed rows. Or lock the row first (select … for update).',
    on: { call: findOverwrite },
  },
  {
    id: 'FIN-RACE-02',
    title: 'A balance is read, changed and saved without a lock',
    cwe: 362,
    severity: 'error',
    confidence: 'medium',
    languages: ['javascript', 'python', 'java', 'php', 'csharp', 'kotlin', 'ruby', 'dart'],
    message:
      'Another request can change the balance between the read and the save. Both pass the check, one change is lost, and the same money is spent twice.',
    fix: 'Change it in one statement ($inc with a condition, F("balance") - amount, decrement with where balance >= amount), or lock the row for the whole transaction.',
    on: { function: findUnlockedUpdate },
  },
]

const ABSOLUTE =
  /^\s*update\s+[\w."`]*(?:wallet|account|balance|user|customer)s?\w*["`]?\s+set\s+[\w."`\s=,]*\bbalance\w*["`]?\s*=\s*(?:\?|\$\d+|:\w+|%s|\0|['"]?\0)/i

const RUNS_STATEMENT =
  /^(?:query|execute|exec|executeUpdate|raw|run|prepare|prepareStatement|rawUpdate|customUpdate|Exec|ExecContext|Execute(?:Async|SqlRaw|SqlRawAsync)?|update)$/

function findOverwrite(event: CallEvent): Hit | undefined {
  if (!RUNS_STATEMENT.test(event.method)) return undefined
  const [statement] = event.args
  if (!statement) return undefined
  const { known, pieces } = statement.value
  const text =
    typeof known === 'string'
      ? known
      : (pieces ?? []).map((piece) => (typeof piece === 'string' ? piece : '\0')).join('')
  if (!ABSOLUTE.test(text)) return undefined
  const [definition] = event.functions
  const around = definition ? bodyOf(event, definition.at) : event.text
  return !ROW_LOCKED.test(around) && /balance\w*['"\]]{0,3}\s*[-+]|[-+]\s*[\w.$>[\]'"-]*balance/i.test(around)
    ? { at: event.expr.at }
    : undefined
}

function findUnlockedUpdate(event: FunctionEvent): Hit | undefined {
  const written = event.assigns.find((each) => isSum(each) && isSavedAfter(event, each))
  if (!written || isLocked(event)) return undefined
  return { at: written.expr.at }
}

/** In Ruby the lock is around the block: `wallet.with_lock do`. */
const isLocked = (event: FunctionEvent): boolean =>
  (event.language === 'ruby' ? event.functions : [event.definition]).some(({ at }) =>
    LOCKED_OR_RELATIVE.test(bodyOf(event, at)),
  )

/** `wallet.balance -= amount`, `wallet.balance = wallet.balance - amount`, `{ balance: wallet.balance - amount }`. */
function isSum({ name, operator, expr, source, isEntry, target }: AssignEvent): boolean {
  if (!/^(?:\w*_)?balance(?:_\w+)?$|Balance(?:Minor)?$|^balanceMinor$/.test(name)) return false
  const isMember = isEntry || target.kind === 'member'
  if (!isMember) return false
  if (operator === '+' || operator === '-') return true
  const value = expr.kind === 'assign' ? expr.value : expr
  if (value.kind !== 'binary' || !/^[-+]$/.test(value.operator)) return false
  return [value.left, value.right].some(
    (side) => /balance/i.test(lastNameOf(side) || source(side.at)) && side.kind !== 'literal',
  )
}

function isSavedAfter({ calls }: FunctionEvent, { target, isEntry, expr, source }: AssignEvent): boolean {
  const owner = target.kind === 'member' ? source(target.object.at) : null
  return calls.some(({ method, expr: call, source: written }) => {
    const isSave =
      /^(?:save|update|updateOne|findByIdAndUpdate|findOneAndUpdate|persist|merge|save!|update!|update_columns?|update_attribute|Update(?:Async)?)$/.test(
        method,
      ) ||
      isContextSave(method, call.at.start, expr.at.end) ||
      (method === 'set' && isDocument(call.callee, written))
    if (!isSave) return false
    if (isEntry) return call.at.start <= expr.at.start && expr.at.end <= call.at.end
    if (call.at.start < expr.at.end) return false
    return (
      owner !== null &&
      (/^SaveChanges/.test(method) ||
        written(call.callee.at).startsWith(`${owner}.`) ||
        written(call.callee.at).startsWith(`${owner}->`) ||
        written(call.at).includes(`(${owner}`))
    )
  })
}

/** Entity Framework saves all changed objects. */
const isContextSave = (method: string, from: number, changedAt: number): boolean =>
  /^SaveChanges(?:Async)?$/.test(method) && from >= changedAt

/** A Firestore document, as opposed to a map in memory. */
const isDocument = (callee: Expr, source: AssignEvent['source']): boolean =>
  callee.kind === 'member' &&
  /\b(?:doc|ref|collection|child)\s*\(|\b(?:batch|transaction|tx?)$/i.test(source(callee.object.at))
