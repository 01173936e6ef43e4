// Classes of the scanned code: instances, methods and fields.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import type { ClassDefinition, FunctionDefinition } from '../../ir.ts'
import type { EvaluatedArgument } from '../../rule.ts'
import type { CallResult, ClassInfo, Machine } from '../machine.ts'
import { bareType, lastSegment } from '../name-patterns.ts'
import { emit, emitAssign, eventContext } from '../rule-events.ts'
import { appendToIndex } from '../units/method-indexes.ts'
import { classOf } from '../units/trace.ts'
import { keepFields, newVersion, undoLater } from '../units/undo.ts'
import { withDeclaredType } from '../values/declared-types.ts'
import { classHierarchy, findImplementations } from '../values/members.ts'
import { allTaints, join, joinAll, withField } from '../values/values.ts'
import { declare, readVariable, runOptionally, writeVariable } from '../values/variables.ts'
import { selfVariable } from './frames.ts'

const IMPLEMENTATIONS_MAX = 4

/** Defines the class and initializes its fields. */
export function defineClass(m: Machine, definition: ClassDefinition): AbstractValue {
  const info = classOf(m, definition) ?? registerClass(m, definition)
  const value: AbstractValue = { taints: [], name: definition.name, classDefinition: definition }
  if (definition.name !== '') declare(m, definition.name, value)
  m.frame.pending.push(info)
  const before = m.frame.scope
  initializeFields(m, info)
  m.frame.scope = before
  return value
}

/** Registers the class by name, for all files. */
export function registerClass(m: Machine, definition: ClassDefinition): ClassInfo {
  const methods = new Map<string, FunctionDefinition[]>()
  for (const method of definition.methods)
    methods.set(method.name, [...(methods.get(method.name) ?? []), method])
  const instance: AbstractValue = { taints: [], type: definition.name, classDefinition: definition }
  const { scope, file, functions, classes } = m.frame
  const info: ClassInfo = {
    definition,
    scope,
    file,
    functions,
    classes,
    methods,
    self: instance,
    statics: UNTAINTED,
  }
  addClass(m, info)
  return info
}

function addClass(m: Machine, info: ClassInfo): void {
  const { definition } = info
  const version = m.classesVersion
  const bases = new Set(definition.bases.map((each) => lastSegment(bareType(each))))
  m.classes.set(definition, info)
  appendToIndex(m.classesByName, definition.name, info)
  for (const base of bases) appendToIndex(m.classesByBase, base, info)
  for (const method of definition.methods) m.methodClasses.set(method, info)
  m.classesVersion = newVersion(m)
  m.tablesVersion = m.classesVersion
  // Undone in reverse, so the class is the last one in each list.
  undoLater(m, info.file, () => {
    m.classes.delete(definition)
    m.classesByName.get(definition.name)?.pop()
    for (const base of bases) m.classesByBase.get(base)?.pop()
    for (const method of definition.methods) m.methodClasses.delete(method)
    m.classesVersion = version
    m.tablesVersion = newVersion(m)
  })
}

function initializeFields(m: Machine, info: ClassInfo): void {
  keepFields(m, info)
  for (const { name, value: expr, type, isStatic, at } of info.definition.fields) {
    const value = expr
      ? withDeclaredType(m, m.operations.evaluate(m, expr), type)
      : withDeclaredType(m, UNTAINTED, type)
    if (expr) {
      const target = { kind: 'name', name, at } as const
      emitAssign(m, expr, {
        name,
        target,
        object: null,
        operator: null,
        value,
        expr,
        type,
        isField: true,
        isEntry: false,
      })
    }
    if (isStatic) info.statics = withField(info.statics, name, value)
    else info.self = withField(info.self, name, value)
  }
}

/** Analyzes all methods. A second pass runs if the first one added taints to the fields. */
export function analyzeClass(m: Machine, info: ClassInfo): void {
  const { definition, scope } = info
  const isFirst = ({ name }: FunctionDefinition) => Number(!isConstructor(definition, name))
  const methods = [...definition.methods].sort((one, other) => isFirst(one) - isFirst(other))
  const before = allTaints(info.self).length
  const round = () => {
    for (const method of methods) {
      runOptionally(m, () => {
        m.operations.analyzeFunction(
          m,
          { definition: method, scope, self: info.self },
          m.registrations.get(method) ?? null,
        )
        return true
      })
    }
  }
  round()
  if (allTaints(info.self).length > before) round()
  emit(m, 'class', { ...eventContext(m), definition, at: definition.at }, definition.at)
}

const isConstructor = (definition: ClassDefinition, name: string): boolean =>
  name === 'constructor' ||
  name === '__init__' ||
  name === '__construct' ||
  name === '<init>' ||
  name === definition.name

/** `new A(…)`: the instance after its constructor ran. */
export function construct(
  m: Machine,
  definition: ClassDefinition,
  args: readonly EvaluatedArgument[],
): AbstractValue | undefined {
  const info = classOf(m, definition)
  if (!info) return undefined
  const instance: AbstractValue = {
    ...UNTAINTED,
    type: definition.name,
    classDefinition: definition,
    fields: new Map(info.self.fields),
  }
  for (const each of classHierarchy(m, info)) {
    const all = [...each.methods]
      .filter(([name]) => isConstructor(each.definition, name))
      .flatMap(([, methods]) => methods)
    const fitting = all.find(({ parameters }) => parameters.length === args.length) ?? all[0]
    if (!fitting || fitting.body.length === 0) continue
    const done = m.operations.invoke(
      m,
      { definition: fitting, scope: each.scope, self: instance },
      args,
      instance,
    )
    if (done?.self) return done.self
    break
  }
  const given = joinAll(args.map(({ value }) => ({ taints: allTaints(value) })))
  return given.taints.length > 0 ? { ...instance, others: given } : instance
}

/** Calls a method of an instance. Undefined if there is none or too many candidates. */
export function invokeMethod(
  m: Machine,
  receiver: AbstractValue,
  method: string,
  args: readonly EvaluatedArgument[],
): CallResult | undefined {
  const info = receiver.classDefinition && classOf(m, receiver.classDefinition)
  if (!info) return undefined
  const bodies = findImplementations(m, info, method, args.length)
  if (bodies.length === 0 || bodies.length > IMPLEMENTATIONS_MAX) return undefined
  const results = bodies.map(([home, definition]) =>
    m.operations.invoke(m, { definition, scope: home.scope, self: receiver }, args, receiver),
  )
  const done = results.filter((result) => result !== undefined)
  if (done.length < results.length) return undefined
  if (done.length === 1) return done[0]
  return {
    value: done.map(({ value }) => value).reduce((one, other) => join(one, other)),
    self: null,
    argumentsAfter: [],
  }
}

/** Calls the constructor (null) or a method of the base class on the same object. */
export function invokeSuper(
  m: Machine,
  method: string | null,
  args: readonly EvaluatedArgument[],
): AbstractValue | undefined {
  const info = m.frame.classes[0] && classOf(m, m.frame.classes[0])
  const self = selfVariable(m, m.frame)
  if (!info || !self) return undefined
  for (const each of classHierarchy(m, info).slice(1)) {
    const all = [...each.methods].filter(([name]) =>
      method === null || isConstructor(info.definition, method)
        ? isConstructor(each.definition, name)
        : name === method,
    )
    const methods = all.flatMap(([, definitions]) => definitions)
    const fitting = methods.find(({ parameters }) => parameters.length === args.length) ?? methods[0]
    if (!fitting) continue
    const object = readVariable(m, self)
    const done = m.operations.invoke(
      m,
      { definition: fitting, scope: each.scope, self: object },
      args,
      object,
    )
    if (done?.self)
      writeVariable(m, self, {
        ...done.self,
        ...(object.classDefinition && { classDefinition: object.classDefinition }),
      })
    return done?.value
  }
  return undefined
}
