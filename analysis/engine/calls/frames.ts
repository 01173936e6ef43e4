// Frames: entering and leaving functions.

import { type AbstractValue, type Callable, UNTAINTED } from '../../abstract-value.ts'
import type { FunctionDefinition } from '../../ir.ts'
import type { EvaluatedArgument } from '../../rule.ts'
import { bind, withDefault } from '../evaluation/assign.ts'
import type { Frame, Machine, Scope, Variable } from '../machine.ts'
import { homeOf, recordRead } from '../units/trace.ts'
import { withDeclaredType } from '../values/declared-types.ts'
import { itemsOf, joinAll, withStep } from '../values/values.ts'
import { createScope, declare, findVariable } from '../values/variables.ts'

/** Runs a function in a new frame and restores the previous frame afterwards. */
export function withFrame<T>(
  m: Machine,
  callable: Callable,
  run: (frame: Frame) => T,
  depth = m.frame.depth + 1,
): T {
  const { definition } = callable
  const before = m.frame
  // The engine created every scope of a callable.
  const outer = callable.scope as Scope
  recordRead(m, outer.frame.file)
  const home = homeOf(m, definition)
  const frame = newFrame(
    outer.frame.file.path === before.file.path ? before : outer.frame,
    {
      definition,
      trace: m.trace,
      functions: [definition, ...(home?.functions ?? outer.frame.functions)],
      classes: home ? [home.definition, ...home.classes] : outer.frame.classes,
      depth,
    },
    outer,
  )
  m.frame = frame
  m.callStack.push(definition)
  try {
    return run(frame)
  } finally {
    m.callStack.pop()
    m.frame = before
    // Closures keep the frame alive, but its events have already been emitted.
    frame.calls.clear()
    frame.assigns.clear()
    frame.compares.clear()
    frame.returns.clear()
  }
}

type FrameParts = Pick<Frame, 'definition' | 'trace' | 'functions' | 'classes' | 'depth'>

export function newFrame(
  { file }: Pick<Frame, 'file'>,
  { definition, trace, functions, classes, depth }: FrameParts,
  outer: Scope | null = null,
): Frame {
  const frame: Omit<Frame, 'scope'> & { scope: Scope | null } = {
    file,
    trace,
    definition,
    functions,
    classes,
    conditions: [],
    loops: 0,
    depth,
    scope: null,
    jumpTargets: [],
    calls: new Map(),
    assigns: new Map(),
    compares: new Map(),
    returns: new Map(),
    returned: undefined,
    tracked: [],
    exits: [],
    expectedReturn: null,
    pending: [],
    statement: null,
  }
  const whole = frame as Frame
  whole.scope = createScope(outer, whole)
  return whole
}

/** Binds the arguments to the parameters. */
export function bindParameters(
  m: Machine,
  definition: FunctionDefinition,
  args: readonly EvaluatedArgument[],
  self: AbstractValue | null,
): void {
  if (self) declare(m, 'this', self, { isWatched: true })
  const given = self && isPythonMethod(m, definition) ? [selfArgument(definition, self), ...args] : args
  if (m.language === 'javascript') declare(m, 'arguments', argumentsOf(args))
  for (const [index, parameter] of definition.parameters.entries()) {
    const value = argumentFor(definition, given, index)
    const supplied = parameter.default ? withDefault(m, parameter.default, value) : value
    const { target } = parameter
    const what = target.kind === 'name' ? target.name : 'argument'
    const stepped = withStep(supplied, { path: m.frame.file.path, at: target.at, what })
    bindParameter(m, target, withDeclaredType(m, stepped, parameter.isRest ? null : parameter.type))
  }
}

const argumentsOf = (args: readonly EvaluatedArgument[]): AbstractValue =>
  restOf(args.map(({ value, isSpread }) => (isSpread ? itemsOf(value) : value)))

export function bindParameter(
  m: Machine,
  target: FunctionDefinition['parameters'][number]['target'],
  value: AbstractValue,
): void {
  if (target.kind === 'name') declare(m, target.name, value, { isWatched: true })
  else bind(m, target, value, { isDeclared: true, type: null })
}

export const isPythonMethod = (m: Machine, definition: FunctionDefinition | null): boolean =>
  m.language === 'python' && definition !== null && m.methodClasses.has(definition) && !definition.isStatic

const selfArgument = (definition: FunctionDefinition, value: AbstractValue): EvaluatedArgument => ({
  name: null,
  isSpread: false,
  value,
  expr: definition.parameters[0]?.target ?? { kind: 'other', parts: [], at: definition.at },
})

function argumentFor(
  { parameters }: FunctionDefinition,
  args: readonly EvaluatedArgument[],
  index: number,
): AbstractValue {
  const parameter = parameters[index]
  const name = parameter?.target.kind === 'name' ? parameter.target.name : null
  const byName = name !== null && args.find((arg) => arg.name === name)
  if (byName) return byName.value
  const positional = args.filter((arg) => arg.name === null)
  const spread = positional.findIndex(({ isSpread }) => isSpread)
  if (parameter?.isRest)
    return restOf(positional.slice(index).map(({ value, isSpread }) => (isSpread ? itemsOf(value) : value)))
  if (spread !== -1 && spread <= index) return itemsOf(positional[spread]?.value ?? UNTAINTED)
  return positional[index]?.value ?? { known: null, taints: [] }
}

const restOf = (values: readonly AbstractValue[]): AbstractValue => ({
  taints: [],
  type: 'list',
  fields: new Map(values.map((value, index) => [String(index), value])),
  size: values.length,
  ...(values.length > 20 && { others: joinAll(values) }),
})

/** Python methods choose the name of their receiver. */
export function selfVariable(m: Machine, { scope, definition }: Frame): Variable | undefined {
  const [first] = isPythonMethod(m, definition) ? (definition?.parameters ?? []) : []
  return findVariable(scope, first?.target.kind === 'name' ? first.target.name : 'this')
}
