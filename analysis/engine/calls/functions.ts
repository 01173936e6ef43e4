// Going through functions: with what a caller gives them, and once by themselves with what the model says of their parameters.

import { type Callable, CLEAN, type Value } from '../../abstract-value.ts'
import type { FunctionDefinition, Parameter } from '../../ir.ts'
import type { EvaluatedArgument } from '../../rule.ts'
import type { Frame, Machine, Registered, Result, Scope } from '../machine.ts'
import { tellFunction, tellReturn, where } from '../rule-events.ts'
import { isNumeric, typed } from '../values/declared-types.ts'
import { allTaints, join, joinAll, tainted } from '../values/values.ts'
import { declare, memberReader, perhaps, read } from '../values/variables.ts'
import { routeOfMarks } from './annotated-routes.ts'
import { signatureOf } from './argument-signature.ts'
import { goThroughClass } from './classes.ts'
import { bindParameter, bindParameters, inFrame, isMethodOfPython, selfVariable } from './frames.ts'
import { noteOwner, noteUse } from './internal-callers.ts'
import { leaveWith } from './returns.ts'

const DEPTH_MAX = 3
const RESULTS_MAX = 24

export function invoke(
  m: Machine,
  callable: Callable,
  args: readonly EvaluatedArgument[],
  self: Value | null,
): Result | undefined {
  const { definition } = callable
  noteUse(m, callable)
  if (m.frame.depth >= DEPTH_MAX || m.active.includes(definition)) return undefined
  if (definition.body.length === 0) return undefined
  // What an inner function does depends on variables around it, too.
  if (isInner(callable)) return enter(m, callable, args, self)
  const results = m.results.get(definition) ?? new Map<string, Result>()
  m.results.set(definition, results)
  const signature = signatureOf(args, self)
  const known = results.get(signature)
  if (known) return known
  // A function that is called in too many ways is taken as one that is not known.
  if (results.size >= RESULTS_MAX) return undefined
  const result = enter(m, callable, args, self)
  results.set(signature, result)
  return result
}

const isInner = ({ scope }: Callable): boolean => (scope as Scope).frame.definition !== null

function enter(
  m: Machine,
  callable: Callable,
  args: readonly EvaluatedArgument[],
  self: Value | null,
): Result {
  return inFrame(m, callable, (frame) => {
    bindParameters(m, callable.definition, args, self)
    run(m, frame)
    if (args.some(({ value }) => allTaints(value, 1).length > 0)) runPending(m, frame)
    return { value: frame.returned ?? CLEAN, ...afterwards(m, frame, args.length, self) }
  })
}

/** Once by itself. Returns what it gives back. */
export function goThrough(m: Machine, callable: Callable, registered: Registered | null): Value {
  const { definition } = callable
  const how = `${registered?.by} ${registered?.route}`
  if (m.active.includes(definition) || m.seen.get(callable) === how) return CLEAN
  m.seen.set(callable, how)
  return inFrame(
    m,
    callable,
    (frame) => {
      const home = m.homes.get(definition)
      const self = home ? (callable.self ?? home.self) : m.selves.get(definition)
      if (self) declare(m, 'this', self, { isWatched: true })
      bindOwnParameters(m, definition, registered)
      run(m, frame)
      tellFunction(m, definition, registered?.route ?? routeOfMarks(m, definition))
      if (home) keepFields(m, frame, home)
      runPending(m, frame)
      return frame.returned ?? CLEAN
    },
    m.frame.depth,
  )
}

/** Functions made on the way that nobody has gone through: with the variables as they are in the end. */
export function runPending(m: Machine, frame: Frame): void {
  for (let index = 0; index < frame.pending.length; index++) {
    const each = frame.pending[index]
    if (!each) continue
    perhaps(m, () => {
      if ('methods' in each) goThroughClass(m, each)
      else goThrough(m, each, m.registered.get(each.definition) ?? null)
      return true
    })
  }
}

function run(m: Machine, frame: Frame): void {
  const { definition } = frame
  if (!definition) return
  const [only] = definition.body
  if (definition.isExpression && only?.kind === 'expression') {
    frame.statement = only
    frame.returned = m.parts.evaluate(m, only.value)
    tellReturn(m, only, frame.returned, only.value, only.at)
    leaveWith(m, frame.returned, only.value)
    return
  }
  if (m.parts.execute(m, definition.body)) leaveWith(m, NOTHING, null)
}

const NOTHING: Value = { known: null, taints: [] }

/** What the object and the arguments are after the call, over all ways out of the function. */
function afterwards(
  m: Machine,
  { watched, exits, definition }: Frame,
  count: number,
  self: Value | null,
): Pick<Result, 'self' | 'after'> {
  const left = watched.map((_, index) =>
    joinAll(
      exits.flatMap((exit) => exit[index] ?? []),
      memberReader(m),
    ),
  )
  const byName = (name: string) => watched.findIndex((variable) => variable.name === name)
  const names =
    definition?.parameters.map(({ target, isRest }) =>
      isRest || target.kind !== 'name' ? '' : target.name,
    ) ?? []
  const isNamed = self !== null && names.length > 0 && isMethodOfPython(m, definition)
  const object = byName(isNamed ? (names[0] ?? '') : 'this')
  const after = names.slice(isNamed ? 1 : 0, count + 1).map((name) => {
    const index = byName(name)
    const variable = watched[index]
    const value = left[index]
    return !variable || !value || variable.isReplaced || value === variable.first ? null : value
  })
  return {
    self: self && exits.length > 0 ? (left[object] ?? self) : self,
    after: exits.length > 0 ? after : [],
  }
}

/** What a method writes to its object is seen by the others. */
function keepFields(m: Machine, frame: Frame, home: { self: Value }): void {
  const variable = selfVariable(m, frame)
  const after = variable && variable.frame === frame ? read(m, variable) : undefined
  if (after?.fields && after !== home.self)
    home.self = join(home.self, { ...home.self, fields: after.fields })
}

function bindOwnParameters(m: Machine, definition: FunctionDefinition, registered: Registered | null): void {
  const here = where(m)
  if (m.language === 'javascript' && definition.isExported)
    declare(m, 'arguments', tainted('parameter', 'the arguments', definition.at, m.frame.file.path))
  for (const [index, parameter] of definition.parameters.entries()) {
    const told = m.model.model.parameter(parameter, index, definition, here, registered)
    bindParameter(
      m,
      parameter.target,
      told ? typed(m, told, parameter.type) : byDefault(m, parameter, definition, index),
    )
  }
}

function byDefault(m: Machine, parameter: Parameter, definition: FunctionDefinition, index: number): Value {
  const { target, type } = parameter
  const home = m.homes.get(definition)
  if (home && index === 0 && m.language === 'python' && !definition.isStatic) return home.self
  if (!definition.isExported || isNumeric(type)) return typed(m, CLEAN, type)
  const label = `argument ${target.kind === 'name' ? target.name : index + 1}`
  noteOwner(m, target.at, definition)
  return typed(m, tainted('parameter', label, target.at, m.frame.file.path), type)
}
