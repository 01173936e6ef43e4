// Walks all nodes of the intermediate representation in source order, including inner functions.
import type { Expr, FunctionDefinition, Stmt } from '../ir.ts'

export type Part = Expr | Stmt

export function partsIn(root: unknown): readonly Part[] {
  const found: Part[] = []
  if (typeof root === 'object' && root !== null) addAllParts(root, found)
  return found
}

function addAllParts(root: object, found: Part[]): void {
  if (Array.isArray(root)) {
    for (const each of root) if (typeof each === 'object' && each !== null) addAllParts(each, found)
    return
  }
  if ('kind' in root && 'at' in root) found.push(root as Part)
  const parts = root as Readonly<Record<string, unknown>>
  for (const key in parts) {
    const value = parts[key]
    if (typeof value === 'object' && value !== null && key !== 'at' && key !== 'marks')
      addAllParts(value, found)
  }
}

/** Larger bodies are not analyzed as a whole. */
export const PARTS_MAX = 4000

/** Several rules ask for the parts of each function, and a function is analyzed more than once. */
const partsOfBodies = new WeakMap<FunctionDefinition, readonly Part[]>()

export function bodyParts(definition: FunctionDefinition): readonly Part[] {
  const before = partsOfBodies.get(definition)
  if (before) return before
  const found: Part[] = []
  const isAll = addParts(definition.parameters, found) && addParts(definition.body, found)
  const parts = isAll ? found : []
  partsOfBodies.set(definition, parts)
  return parts
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
