// Interprets functions: with the arguments of a call, and once on their own with parameters from the
// language model.

import { type AbstractValue, type Callable, UNTAINTED } from '../../abstract-value.ts'
import type { FunctionDefinition, Parameter } from '../../ir.ts'
import type { EvaluatedArgument } from '../../rule.ts'
import type { CallResult, ClassInfo, Frame, HandlerRegistration, Machine, Scope } from '../machine.ts'
import { emitFunction, emitReturn, eventContext } from '../rule-events.ts'
import { homeOf } from '../units/trace.ts'
import { keepFields, setUndoable } from '../units/undo.ts'
import { isNumeric, withDeclaredType } from '../values/declared-types.ts'
import { allTaints, join, joinAll, tainted } from '../values/values.ts'
import { declare, memberReader, readVariable, runOptionally } from '../values/variables.ts'
import { routeFromAnnotations } from './annotated-routes.ts'
import { signatureOf } from './argument-signature.ts'
import { analyzeClass } from './classes.ts'
import { bindParameter, bindParameters, isPythonMethod, selfVariable, withFrame } from './frames.ts'
import { recordInternalCall, recordParameterOwner } from './internal-callers.ts'
import { recordReturn } from './returns.ts'

const DEPTH_MAX = 3
const RESULTS_MAX = 24
/** Further results with any constants. */
const GENERAL_RESULTS_MAX = 8
/** A short function costs little, and a helper of the whole project has many callers. */
const SHORT_RESULTS_MAX = 1_000
const SHORT_LINES = 12

export function invoke(
  m: Machine,
  callable: Callable,
  args: readonly EvaluatedArgument[],
  self: AbstractValue | null,
): CallResult | undefined {
  const { definition } = callable
  recordInternalCall(m, callable)
  const isInline = isInlineLambda(m, callable)
  if ((m.frame.depth >= DEPTH_MAX && !isInline) || m.callStack.includes(definition)) return undefined
  if (definition.body.length === 0) return undefined
  // An inner function also depends on the variables of its closure, so its results are not cached.
  if (isInner(callable)) return enter(m, callable, args, self, isInline ? m.frame.depth : undefined)
  const results = m.results.get(definition) ?? new Map<string, CallResult>()
  m.results.set(definition, results)
  const own = signatureOf(args, self)
  const known = results.get(own)
  if (known) return known
  const max = resultsMax(definition)
  // After many different constants, one result serves all further ones.
  const given = results.size < max ? args : args.map(withoutConstant)
  const signature = given === args ? own : signatureOf(given, self)
  const shared = results.get(signature)
  if (shared) return shared
  // A function called with too many different arguments is treated as unknown.
  if (results.size >= max + GENERAL_RESULTS_MAX) return undefined
  const result = enter(m, callable, given, self)
  results.set(signature, result)
  return result
}

const withoutConstant = (arg: EvaluatedArgument): EvaluatedArgument => {
  const { known, pieces, ...value } = arg.value
  return known === undefined && pieces === undefined ? arg : { ...arg, value }
}

const resultsMax = ({ at }: FunctionDefinition): number =>
  at.endLine - at.line < SHORT_LINES ? SHORT_RESULTS_MAX : RESULTS_MAX

const isInner = ({ scope }: Callable): boolean => (scope as Scope).frame.definition !== null

function enter(
  m: Machine,
  callable: Callable,
  args: readonly EvaluatedArgument[],
  self: AbstractValue | null,
  depth?: number,
): CallResult {
  return withFrame(
    m,
    callable,
    (frame) => {
      bindParameters(m, callable.definition, args, self)
      runBody(m, frame)
      if (args.some(({ value }) => allTaints(value, 1).length > 0)) analyzePending(m, frame)
      return { value: frame.returned ?? UNTAINTED, ...stateAfterCall(m, frame, args.length, self) }
    },
    depth,
  )
}

/** Kotlin writes blocks as lambdas: `x.let { … }`. They do not count as calls. */
const isInlineLambda = (m: Machine, { definition, scope }: Callable): boolean =>
  m.language === 'kotlin' && definition.name === '' && scope === m.frame.scope

/** Analyzes a function on its own. Returns its result. */
export function analyzeFunction(
  m: Machine,
  callable: Callable,
  registered: HandlerRegistration | null,
): AbstractValue {
  const { definition } = callable
  const how = `${registered?.by} ${registered?.route}`
  if (m.callStack.includes(definition) || m.analyzed.get(callable) === how) return UNTAINTED
  setUndoable(m, m.analyzed, callable, how)
  return withFrame(
    m,
    callable,
    (frame) => {
      const home = homeOf(m, definition)
      const self = home ? (callable.self ?? home.self) : m.objectLiterals.get(definition)
      if (self) declare(m, 'this', self, { isWatched: true })
      bindModelledParameters(m, definition, registered)
      runBody(m, frame)
      emitFunction(m, definition, registered?.route ?? routeFromAnnotations(m, definition))
      if (home) mergeFields(m, frame, home)
      analyzePending(m, frame)
      return frame.returned ?? UNTAINTED
    },
    m.frame.depth,
  )
}

/** Analyzes functions that no call has reached, with the final values of their variables. */
export function analyzePending(m: Machine, frame: Frame): void {
  for (let index = 0; index < frame.pending.length; index++) {
    const each = frame.pending[index]
    if (!each) continue
    runOptionally(m, () => {
      if ('methods' in each) analyzeClass(m, each)
      else analyzeFunction(m, each, m.registrations.get(each.definition) ?? null)
      return true
    })
  }
}

function runBody(m: Machine, frame: Frame): void {
  const { definition } = frame
  if (!definition) return
  const [only] = definition.body
  if (definition.isExpression && only?.kind === 'expression') {
    frame.statement = only
    frame.returned = m.operations.evaluate(m, only.value)
    emitReturn(m, only, frame.returned, only.value, only.at)
    recordReturn(m, frame.returned, only.value)
    return
  }
  if (m.operations.execute(m, definition.body)) recordReturn(m, NULL_VALUE, null)
}

const NULL_VALUE: AbstractValue = { known: null, taints: [] }

/** The receiver and the arguments after the call, joined over all exits. */
function stateAfterCall(
  m: Machine,
  { tracked: watched, exits, definition }: Frame,
  count: number,
  self: AbstractValue | null,
): Pick<CallResult, 'self' | 'argumentsAfter'> {
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
  const isNamed = self !== null && names.length > 0 && isPythonMethod(m, definition)
  const object = byName(isNamed ? (names[0] ?? '') : 'this')
  const after = names.slice(isNamed ? 1 : 0, count + 1).map((name) => {
    const index = byName(name)
    const variable = watched[index]
    const value = left[index]
    return !variable || !value || variable.isReassigned || value === variable.initial ? null : value
  })
  return {
    self: self && exits.length > 0 ? (left[object] ?? self) : self,
    argumentsAfter: exits.length > 0 ? after : [],
  }
}

/** Makes the fields written by one method visible to the others. */
function mergeFields(m: Machine, frame: Frame, home: ClassInfo): void {
  const variable = selfVariable(m, frame)
  const after = variable && variable.frame === frame ? readVariable(m, variable) : undefined
  if (after?.fields && after !== home.self) {
    keepFields(m, home)
    home.self = join(home.self, { ...home.self, fields: after.fields })
  }
}

function bindModelledParameters(
  m: Machine,
  definition: FunctionDefinition,
  registered: HandlerRegistration | null,
): void {
  const here = eventContext(m)
  if (m.language === 'javascript' && definition.isExported)
    declare(m, 'arguments', tainted('parameter', 'the arguments', definition.at, m.frame.file.path))
  for (const [index, parameter] of definition.parameters.entries()) {
    const modelled = m.model.model.parameter(parameter, index, definition, here, registered)
    bindParameter(
      m,
      parameter.target,
      modelled
        ? withDeclaredType(m, modelled, parameter.type)
        : defaultParameterValue(m, parameter, definition, index),
    )
  }
}

function defaultParameterValue(
  m: Machine,
  parameter: Parameter,
  definition: FunctionDefinition,
  index: number,
): AbstractValue {
  const { target, type } = parameter
  const home = homeOf(m, definition)
  if (home && index === 0 && m.language === 'python' && !definition.isStatic) return home.self
  if (!definition.isExported || isNumeric(type)) return withDeclaredType(m, UNTAINTED, type)
  const label = `argument ${target.kind === 'name' ? target.name : index + 1}`
  recordParameterOwner(m, target.at, definition)
  return withDeclaredType(m, tainted('parameter', label, target.at, m.frame.file.path), type)
}
