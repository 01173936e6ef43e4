// Walks all nodes of the intermediate representation in source order, including inner functions.
import type { Expr, FunctionDefinition, Stmt } from '../ir.ts'

export type Part = Expr | Stmt

export function* partsIn(root: unknown): Generator<Part> {
  if (typeof root !== 'object' || root === null) return
  if (Array.isArray(root)) {
    for (const each of root) yield* partsIn(each)
    return
  }
  if ('kind' in root && 'at' in root) yield root as Part
  for (const [key, value] of Object.entries(root)) if (key !== 'at' && key !== 'marks') yield* partsIn(value)
}

/** Larger bodies are not analyzed as a whole. */
export const PARTS_MAX = 4000

export function bodyParts({ body, parameters }: FunctionDefinition): Part[] {
  const found: Part[] = []
  const isAll = addParts(parameters, found) && addParts(body, found)
  return isAll ? found : []
}

/**
 * Named inner functions are analyzed on their own. Anonymous ones belong to the enclosing function. False
 * if there are too many nodes.
 */
function addParts(root: object, found: Part[]): boolean {
  if (Array.isArray(root)) {
    for (const each of root)
      if (typeof each === 'object' && each !== null && !addParts(each, found)) return false
    return true
  }
  if ('kind' in root && 'at' in root) {
    const part = root as Part
    if (part.kind === 'class' || (part.kind === 'function' && part.definition.name !== '')) return true
    if (found.length >= PARTS_MAX) return false
    found.push(part)
  }
  const parts = root as Readonly<Record<string, unknown>>
  for (const key in parts) {
    const value = parts[key]
    if (typeof value !== 'object' || value === null || key === 'at' || key === 'marks') continue
    if (!addParts(value, found)) return false
  }
  return true
}

/** The names bound by a target. */
export function boundNames(target: Expr): string[] {
  switch (target.kind) {
    case 'name':
      return [target.name]
    case 'default':
    case 'rest':
      return boundNames(target.target)
    case 'list':
      return target.items.flatMap(({ value }) => boundNames(value))
    case 'map':
      return target.entries.flatMap(({ value }) => boundNames(value))
    default:
      return []
  }
}
