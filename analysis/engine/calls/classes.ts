// Classes of the code that is looked at: their objects, their methods, and what is known of their fields.

import { CLEAN, type Value } from '../../abstract-value.ts'
import type { ClassDefinition, FunctionDefinition } from '../../ir.ts'
import type { EvaluatedArgument } from '../../rule.ts'
import type { ClassInfo, Machine, Result } from '../machine.ts'
import { bare, lastPart } from '../name-patterns.ts'
import { tell, tellAssign, where } from '../rule-events.ts'
import { typed } from '../values/declared-types.ts'
import { bodiesOf, withBases } from '../values/members.ts'
import { allTaints, join, joinAll, withField } from '../values/values.ts'
import { declare, perhaps, read, write } from '../values/variables.ts'
import { selfVariable } from './frames.ts'

const WAYS_MAX = 4

/** The class comes to be: its fields get their first values. */
export function makeClass(m: Machine, definition: ClassDefinition): Value {
  const info = m.classes.get(definition) ?? registerClass(m, definition)
  const value: Value = { taints: [], name: definition.name, of: definition }
  if (definition.name !== '') declare(m, definition.name, value)
  m.frame.pending.push(info)
  const before = m.frame.scope
  setFields(m, info)
  m.frame.scope = before
  return value
}

/** Known by its name from now on, also to other files. */
export function registerClass(m: Machine, definition: ClassDefinition): ClassInfo {
  const methods = new Map<string, FunctionDefinition[]>()
  for (const method of definition.methods)
    methods.set(method.name, [...(methods.get(method.name) ?? []), method])
  const instance: Value = { taints: [], type: definition.name, of: definition }
  const { scope, file, functions, classes } = m.frame
  const info: ClassInfo = {
    definition,
    scope,
    file,
    functions,
    classes,
    methods,
    self: instance,
    statics: CLEAN,
  }
  m.classes.set(definition, info)
  addTo(m.classesByName, definition.name, info)
  for (const base of new Set(definition.bases.map((each) => lastPart(bare(each)))))
    addTo(m.classesByBase, base, info)
  for (const method of definition.methods) m.homes.set(method, info)
  return info
}

export function addTo<T>(index: Map<string, T[]>, name: string, item: T): void {
  const all = index.get(name)
  if (all) all.push(item)
  else index.set(name, [item])
}

function setFields(m: Machine, info: ClassInfo): void {
  for (const { name, value: expr, type, isStatic, at } of info.definition.fields) {
    const value = expr ? typed(m, m.parts.evaluate(m, expr), type) : typed(m, CLEAN, type)
    if (expr) {
      const target = { kind: 'name', name, at } as const
      tellAssign(m, expr, {
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

/** All methods by themselves; again where the fields turned out to hold more than the first methods knew. */
export function goThroughClass(m: Machine, info: ClassInfo): void {
  const { definition, scope } = info
  const isFirst = ({ name }: FunctionDefinition) => Number(!isConstructor(definition, name))
  const methods = [...definition.methods].sort((one, other) => isFirst(one) - isFirst(other))
  const before = allTaints(info.self).length
  const round = () => {
    for (const method of methods) {
      perhaps(m, () => {
        m.parts.goThrough(m, { definition: method, scope, self: info.self }, m.registered.get(method) ?? null)
        return true
      })
    }
  }
  round()
  if (allTaints(info.self).length > before) round()
  tell(m, 'class', { ...where(m), definition, at: definition.at }, definition.at)
}

const isConstructor = (definition: ClassDefinition, name: string): boolean =>
  name === 'constructor' ||
  name === '__init__' ||
  name === '__construct' ||
  name === '<init>' ||
  name === definition.name

/** `new A(…)`: an object, with what its constructor made of the arguments. */
export function construct(
  m: Machine,
  definition: ClassDefinition,
  args: readonly EvaluatedArgument[],
): Value | undefined {
  const info = m.classes.get(definition)
  if (!info) return undefined
  const instance: Value = {
    ...CLEAN,
    type: definition.name,
    of: definition,
    fields: new Map(info.self.fields),
  }
  for (const each of withBases(m, info)) {
    const all = [...each.methods]
      .filter(([name]) => isConstructor(each.definition, name))
      .flatMap(([, methods]) => methods)
    const fitting = all.find(({ parameters }) => parameters.length === args.length) ?? all[0]
    if (!fitting || fitting.body.length === 0) continue
    const done = m.parts.invoke(m, { definition: fitting, scope: each.scope, self: instance }, args, instance)
    if (done?.self) return done.self
    break
  }
  const given = joinAll(args.map(({ value }) => ({ taints: allTaints(value) })))
  return given.taints.length > 0 ? { ...instance, others: given } : instance
}

/** A method of an object of ours. Undefined where there is none, or too many that it may be. */
export function invokeMethod(
  m: Machine,
  receiver: Value,
  method: string,
  args: readonly EvaluatedArgument[],
): Result | undefined {
  const info = receiver.of && m.classes.get(receiver.of)
  if (!info) return undefined
  const bodies = bodiesOf(m, info, method, args.length)
  if (bodies.length === 0 || bodies.length > WAYS_MAX) return undefined
  const results = bodies.map(([home, definition]) =>
    m.parts.invoke(m, { definition, scope: home.scope, self: receiver }, args, receiver),
  )
  const done = results.filter((result) => result !== undefined)
  if (done.length < results.length) return undefined
  if (done.length === 1) return done[0]
  return {
    value: done.map(({ value }) => value).reduce((one, other) => join(one, other)),
    self: null,
    after: [],
  }
}

/** The constructor (null) or a method of the class above, on the same object. */
export function invokeSuper(
  m: Machine,
  method: string | null,
  args: readonly EvaluatedArgument[],
): Value | undefined {
  const info = m.frame.classes[0] && m.classes.get(m.frame.classes[0])
  const self = selfVariable(m, m.frame)
  if (!info || !self) return undefined
  for (const each of withBases(m, info).slice(1)) {
    const all = [...each.methods].filter(([name]) =>
      method === null || isConstructor(info.definition, method)
        ? isConstructor(each.definition, name)
        : name === method,
    )
    const methods = all.flatMap(([, definitions]) => definitions)
    const fitting = methods.find(({ parameters }) => parameters.length === args.length) ?? methods[0]
    if (!fitting) continue
    const object = read(m, self)
    const done = m.parts.invoke(m, { definition: fitting, scope: each.scope, self: object }, args, object)
    if (done?.self) write(m, self, { ...done.self, ...(object.of && { of: object.of }) })
    return done?.value
  }
  return undefined
}
