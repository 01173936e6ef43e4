// Methods and extension methods of all files by name, for calls whose receiver does not tell the class.

import type { Callable } from '../../abstract-value.ts'
import type { FunctionDefinition } from '../../ir.ts'
import type { ClassInfo, Machine } from '../machine.ts'

type Index<T> = { readonly version: number; readonly byName: ReadonlyMap<string, readonly T[]> }

const methodIndexes = new WeakMap<Machine, Index<ClassInfo>>()
const extensionIndexes = new WeakMap<Machine, Index<Callable>>()

/** The classes with a method of this name that has a body. */
export const methodsNamed = (m: Machine, name: string): readonly ClassInfo[] =>
  indexIn(m, methodIndexes, collectMethods).get(name) ?? []

/** The functions of this name whose first parameter is their receiver. */
export const extensionsNamed = (m: Machine, name: string): readonly Callable[] =>
  indexIn(m, extensionIndexes, collectExtensions).get(name) ?? []

function indexIn<T>(
  m: Machine,
  indexes: WeakMap<Machine, Index<T>>,
  collect: (m: Machine) => ReadonlyMap<string, readonly T[]>,
): ReadonlyMap<string, readonly T[]> {
  const before = indexes.get(m)
  if (before?.version === m.classesVersion) return before.byName
  const byName = collect(m)
  indexes.set(m, { version: m.classesVersion, byName })
  return byName
}

function collectMethods(m: Machine): ReadonlyMap<string, readonly ClassInfo[]> {
  const byName = new Map<string, ClassInfo[]>()
  for (const info of m.classes.values())
    for (const [name, [definition]] of info.methods)
      if (definition && !isAbstract(definition)) appendToIndex(byName, name, info)
  return byName
}

/** Declared for the subclasses: `@abstractmethod`, or a body that only raises an error. */
const isAbstract = ({ annotations, body }: FunctionDefinition): boolean =>
  annotations.some(({ name }) => /(?:^|\.)abstractmethod$/.test(name)) || body[0]?.kind === 'throw'

/** The annotation that a lowering puts on the parameter that is the receiver. */
const EXTENSION = 'extension'

function collectExtensions(m: Machine): ReadonlyMap<string, readonly Callable[]> {
  const byName = new Map<string, Callable[]>()
  for (const all of m.functionsByName.values())
    for (const callable of all)
      if (isExtension(callable.definition)) appendToIndex(byName, callable.definition.name, callable)
  for (const { methods, scope } of m.classes.values())
    for (const definition of [...methods.values()].flat())
      if (isExtension(definition)) appendToIndex(byName, definition.name, { definition, scope })
  return byName
}

const isExtension = ({ parameters }: FunctionDefinition): boolean =>
  parameters[0]?.annotations.some(({ name }) => name === EXTENSION) ?? false

export function appendToIndex<T>(index: Map<string, T[]>, name: string, item: T): void {
  const all = index.get(name)
  if (all) all.push(item)
  else index.set(name, [item])
}
