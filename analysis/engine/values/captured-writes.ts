// Finds variables that a function writes without declaring them. Their value is uncertain everywhere else.
import type { Expr, FunctionDefinition, Program, Stmt } from '../../ir.ts'

export function findCapturedWrites({ body }: Program): ReadonlySet<string> {
  const shared = new Set<string>()
  walk(body, { own: null, shared })
  return shared
}

type Walk = { readonly own: Set<string> | null; readonly shared: Set<string> }

/** Any node of the intermediate representation. */
type Part = Stmt | Expr | FunctionDefinition | readonly unknown[] | Readonly<Record<string, unknown>>

function walk(part: Part, into: Walk): void {
  if (Array.isArray(part)) {
    for (const each of part) if (isPart(each)) walk(each, into)
    return
  }
  const node = part as Readonly<Record<string, unknown>>
  if (isFunction(node)) {
    walkFunction(node, into)
    return
  }
  recordNames(node, into)
  for (const key in node) {
    const child = node[key]
    if (key !== 'at' && isPart(child)) walk(child, into)
  }
}

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null

const isFunction = (
  node: Readonly<Record<string, unknown>>,
): node is FunctionDefinition & Readonly<Record<string, unknown>> =>
  Array.isArray(node.parameters) && Array.isArray(node.body)

function walkFunction({ parameters, body }: FunctionDefinition, { shared }: Walk): void {
  const own = new Set<string>()
  const written = new Set<string>()
  for (const { target } of parameters) collectNames(target, own)
  walk(body, { own, shared: written })
  for (const name of written) if (!own.has(name)) shared.add(name)
}

function recordNames(node: Readonly<Record<string, unknown>>, { own, shared }: Walk): void {
  if (own === null) return
  if (node.kind === 'declare' || node.kind === 'loop') {
    for (const target of [node.target, node.each, node.eachKey]) if (isPart(target)) collectNames(target, own)
  } else if (node.kind === 'assign' && isPart(node.target)) collectNames(node.target, shared)
}

/** Collects the names bound by a target. Members and items are not names. */
function collectNames(target: Part, names: Set<string>): void {
  const node = target as Readonly<Record<string, unknown>>
  if (node.kind === 'name' && typeof node.name === 'string') names.add(node.name)
  if (node.kind === 'member' || node.kind === 'index') return
  for (const key of ['items', 'entries', 'target', 'value']) {
    const child = node[key]
    if (Array.isArray(child)) for (const each of child) if (isPart(each)) collectNames(each, names)
    if (!Array.isArray(child) && isPart(child) && !(key === 'value' && node.kind === 'default'))
      collectNames(child, names)
  }
}
