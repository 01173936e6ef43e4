// The limits of a key that another key created. The limits of all keys above it apply to it as well, so a wider one would
// have no effect: it is refused.
import { type Field, invalidFields } from '../../kernel/errors.ts'
import { isPatternWithin } from '../../kernel/model-patterns.ts'
import { isRangeWithin, parseRanges } from '../../platform/http/access/client-address.ts'
import type { StoredLimits } from './keys-sql.ts'

export function requireWithin(limits: StoredLimits, above: readonly StoredLimits[]): void {
  const fields = above.flatMap((outer) => [
    ...budgetProblem(limits, outer),
    ...modelProblem(limits, outer),
    ...addressProblem(limits, outer),
  ])
  if (fields.length > 0) throw invalidFields(...new Map(fields.map((field) => [field.path, field])).values())
}

/** Budgets of different periods cannot be compared, except that a total covers every period. */
function budgetProblem({ budgetMinor: minor, budgetPeriod }: StoredLimits, outer: StoredLimits): Field[] {
  if (minor === null || outer.budgetMinor === null || minor <= outer.budgetMinor) return []
  if (outer.budgetPeriod !== 'total' && outer.budgetPeriod !== budgetPeriod) return []
  return [
    { path: 'budgetMinor', message: `must be at most ${outer.budgetMinor}, the budget of the key above` },
  ]
}

function modelProblem({ models }: StoredLimits, outer: StoredLimits): Field[] {
  if (!models || models.every((pattern) => isPatternWithin(pattern, outer.models))) return []
  return [
    { path: 'models', message: `must be within the models of the key above: ${outer.models?.join(', ')}` },
  ]
}

function addressProblem({ allowedAddresses: addresses }: StoredLimits, outer: StoredLimits): Field[] {
  if (!addresses || !outer.allowedAddresses) return []
  const ranges = parseRanges(outer.allowedAddresses.join(','))
  if (addresses.every((range) => isRangeWithin(range, ranges))) return []
  const message = `must be within the addresses of the key above: ${outer.allowedAddresses.join(', ')}`
  return [{ path: 'allowedAddresses', message }]
}
