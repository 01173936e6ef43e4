// Turns constructor functions and their prototype assignments into classes, so that methods share the
// fields set by the constructor.
import type { ClassDefinition, Expr, ExprOf, FunctionDefinition, Stmt } from '../../ir.ts'

/** Replaces constructor functions and their prototype assignments with classes. */
export function withClasses(body: readonly Stmt[]): Stmt[] {
  const found: Prototypes = { methods: new Map(), bases: new Map(), aliases: new Map() }
  const rest = body.filter((stmt) => !recordAssignment(found, stmt))
  const names = new Set([...found.methods.keys(), ...found.bases.keys()])
  if (names.size === 0) return [...body]
  const known = new Set<string>()
  const classes: Stmt[] = []
  const left = rest.flatMap((stmt): Stmt[] => {
    const maker = constructorIn(stmt, names)
    if (!maker || known.has(maker.name)) return [stmt]
    known.add(maker.name)
    const made = classStatement(found, maker)
    // Function declarations are hoisted. A variable is defined at its statement.
    if (stmt.kind === 'function') classes.push(made)
    return stmt.kind === 'function' ? [] : [made, ...maker.notes]
  })
  const isComplete = [...names].every((name) => known.has(name))
  return isComplete ? [...classes, ...left] : [...body]
}

type Prototypes = {
  readonly methods: Map<string, FunctionDefinition[]>
  readonly bases: Map<string, string[]>
  /** `const proto = F.prototype`. */
  readonly aliases: Map<string, string>
}

type ConstructorFunction = {
  readonly name: string
  readonly definition: FunctionDefinition
  readonly notes: Stmt[]
}

/** Records a prototype assignment. Returns whether the statement does nothing else. */
function recordAssignment(found: Prototypes, stmt: Stmt): boolean {
  if (stmt.kind === 'declare') {
    const of = stmt.value && prototypeOf(found, stmt.value)
    if (stmt.target.kind === 'name' && of !== null && of !== undefined)
      found.aliases.set(stmt.target.name, of)
    return false
  }
  if (stmt.kind !== 'expression') return false
  const { value } = stmt
  if (value.kind === 'call') return recordInheritance(found, value)
  if (value.kind !== 'assign' || value.operator !== null) return false
  const whole = prototypeOf(found, value.target)
  if (whole !== null) return recordReplacement(found, whole, value.value)
  if (value.target.kind !== 'member' || value.value.kind !== 'function') return false
  const holder = prototypeOf(found, value.target.object)
  if (holder === null) return false
  addMethod(found, holder, value.target.property, value.value.definition)
  return true
}

function prototypeOf({ aliases }: Prototypes, expr: Expr): string | null {
  if (expr.kind === 'name') return aliases.get(expr.name) ?? null
  return expr.kind === 'member' && expr.property === 'prototype' && expr.object.kind === 'name'
    ? expr.object.name
    : null
}

/** `F.prototype = { … }`, `F.prototype = Object.create(G.prototype)`, `F.prototype = new G()`. */
function recordReplacement(found: Prototypes, name: string, value: Expr): boolean {
  if (value.kind === 'map') {
    const methods = value.entries.filter((entry) => entry.value.kind === 'function')
    if (methods.length === 0) return false
    for (const { key, value: entry } of methods)
      if (key?.kind === 'literal' && entry.kind === 'function')
        addMethod(found, name, String(key.value), entry.definition)
    return true
  }
  if (value.kind !== 'call') return false
  const base = value.isNew ? value.callee : value.args[0]?.value
  const above = base && (prototypeOf(found, base) ?? (value.isNew ? nameOf(base) : null))
  if (!above) return false
  addBase(found, name, above)
  return true
}

function recordInheritance(found: Prototypes, { callee, args }: ExprOf<'call'>): boolean {
  const [own, above] = args.map(({ value }) => value)
  if (nameOf(callee) !== 'inherits' || own?.kind !== 'name' || !above) return false
  addBase(found, own.name, nameOf(above))
  return true
}

function nameOf(expr: Expr): string {
  if (expr.kind === 'name') return expr.name
  return expr.kind === 'member' ? expr.property : ''
}

function addMethod({ methods }: Prototypes, of: string, name: string, definition: FunctionDefinition): void {
  methods.set(of, [...(methods.get(of) ?? []), { ...definition, name }])
}

function addBase({ bases }: Prototypes, of: string, base: string): void {
  bases.set(of, [...(bases.get(of) ?? []), base])
}

/** `function F() {}`, `var F = function () {}`, `var F = module.exports = function () {}`. */
function constructorIn(stmt: Stmt, names: ReadonlySet<string>): ConstructorFunction | undefined {
  if (stmt.kind === 'function')
    return names.has(stmt.definition.name)
      ? { name: stmt.definition.name, definition: stmt.definition, notes: [] }
      : undefined
  const made = stmt.kind === 'declare' || stmt.kind === 'expression' ? stmt.value : null
  const targets: Expr[] = stmt.kind === 'declare' ? [stmt.target] : []
  let value = made
  while (value?.kind === 'assign' && value.operator === null) {
    targets.push(value.target)
    value = value.value
  }
  if (value?.kind !== 'function' || value.definition.isExpression) return undefined
  const own = targets.find((target) => target.kind === 'name' && names.has(target.name))
  if (own?.kind !== 'name') return undefined
  const notes = targets
    .filter((target) => target !== own)
    .map((target): Stmt => {
      const assigned: Expr = { kind: 'assign', at: stmt.at, target, operator: null, value: own }
      return { kind: 'expression', at: stmt.at, value: assigned }
    })
  return { name: own.name, definition: value.definition, notes }
}

function classStatement({ methods, bases }: Prototypes, { name, definition }: ConstructorFunction): Stmt {
  const made: ClassDefinition = {
    at: definition.at,
    name,
    bases: bases.get(name) ?? [],
    annotations: [],
    methods: [{ ...definition, name: 'constructor' }, ...(methods.get(name) ?? [])],
    fields: [],
  }
  return { kind: 'class', at: definition.at, definition: made }
}
