// Recursive merges and setters: `merge(target[key], source[key])` and `set(target[key], rest, value)`.
import type { Expr, ExprOf } from '../../../ir.ts'
import { bodyParts, boundNames } from '../../ir-walk.ts'
import {
  type FunctionFacts,
  isEmpty,
  isKey,
  type KeyedWrite,
  mentions,
  type PrototypeWrite,
  readOf,
  readsIn,
  textOf,
} from './prototype-facts.ts'
import { isOwnKey } from './prototype-keys.ts'

type Call = ExprOf<'call'> & Expr

/** The call descends into `target[key]`, next to a write `target[key] = …`. */
export function findMerges(facts: FunctionFacts, writes: readonly KeyedWrite[]): PrototypeWrite[] {
  const names = namesOf(facts)
  const recursions = facts.parts.filter(
    (part): part is Call => part.kind === 'call' && isRecursion(facts, names, part.callee),
  )
  return writes.flatMap((write): PrototypeWrite[] => {
    const { object, key } = write.target
    if (object.kind !== 'name' || !facts.given.has(object.name) || !isKey(facts, key) || isEmpty(write.value))
      return []
    if (isOwnKey(facts.assigns, object.name, key)) return []
    const kinds = recursions.map(({ args }) =>
      descentOf(
        facts,
        write,
        args.map(({ value }) => value),
      ),
    )
    if (kinds.includes('setter')) return [{ write, objects: [object.name] }]
    return kinds.includes('merge') ? [{ write, objects: [object.name], isMerge: true }] : []
  })
}

function descentOf(
  facts: FunctionFacts,
  write: KeyedWrite,
  args: readonly Expr[],
): 'merge' | 'setter' | undefined {
  const own = readOf(write.target)
  const reads = args.map((value) => readsIn(value, facts.reads))
  const at = reads.findIndex((each) => each.has(own))
  if (at === -1) return undefined
  const suffix = `|${textOf(write.target.key)}`
  const isMerge = reads.some(
    (each, index) => index !== at && [...each].some((read) => read !== own && read.endsWith(suffix)),
  )
  if (isMerge) return 'merge'
  return isSetter(facts, args, at, write) ? 'setter' : undefined
}

/** A parameter, or a part of one, is passed down and written at the end. */
function isSetter(
  { definition, assigns }: FunctionFacts,
  args: readonly Expr[],
  at: number,
  write: KeyedWrite,
): boolean {
  if (args.length < 3) return false
  const target = textOf(write.target.object)
  const own = definition.parameters
    .flatMap(({ target: each }) => boundNames(each))
    .filter((name) => name !== target && name !== textOf(write.target.key))
  return own.some((name) => {
    const passed = args.some((arg, index) => index !== at && holds(arg, name))
    return passed && isMadeFrom(write.value, name, assigns)
  })
}

/** `value` or `value[key]`. */
const holds = (arg: Expr, name: string): boolean =>
  (arg.kind === 'name' && arg.name === name) ||
  (arg.kind === 'index' && arg.object.kind === 'name' && arg.object.name === name)

/** The name itself, or a variable computed from it: `const value = create(target, key)`. */
function isMadeFrom(value: Expr, name: string, assigns: FunctionFacts['assigns']): boolean {
  const names = new Set([name])
  for (const { target, value: from } of assigns)
    if (target.kind === 'name' && mentions(from, new Set([name]))) names.add(target.name)
  return mentions(value, names)
}

/** A call of the function itself, of an enclosing function, or of one that calls it. */
function isRecursion({ around }: FunctionFacts, names: ReadonlySet<string>, callee: Expr): boolean {
  if (names.has(lastName(callee))) return true
  const other = around.resolve(callee)
  return other !== undefined && bodyParts(other).some((part) => names.has(usedName(part)))
}

/** `call merge(…)`, or `options.merger || helpers._merge` before the call of the variable. */
function usedName(part: ReturnType<typeof bodyParts>[number]): string {
  if (part.kind === 'call') return lastName(part.callee)
  return part.kind === 'binary' && (part.operator === '||' || part.operator === '??')
    ? lastName(part.right)
    : ''
}

function namesOf({ definition, parts, around }: FunctionFacts): ReadonlySet<string> {
  const inner = parts.flatMap((part) => (part.kind === 'function' ? [part.definition.name] : []))
  return new Set([definition.name, ...around.outer, ...inner].filter((name) => name !== ''))
}

/** `extend.call(this, …)` also calls `extend`. */
function lastName(expr: Expr): string {
  if (expr.kind === 'name') return expr.name
  if (expr.kind !== 'member') return ''
  return /^(?:call|apply)$/.test(expr.property) ? lastName(expr.object) : expr.property
}
