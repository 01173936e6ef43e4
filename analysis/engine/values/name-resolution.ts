// Resolves names: variables, members of the enclosing class, declarations in other files, or externals.

import type { AbstractValue, Callable } from '../../abstract-value.ts'
import type { Language } from '../../ir.ts'
import type { SourceRange } from '../../syntax/tree.ts'
import type { Machine } from '../machine.ts'
import { findMatches, lastSegment } from '../name-patterns.ts'
import { classOf, lookUpFolder, lookUpFunctions, recordLookup, recordRead } from '../units/trace.ts'
import { implicitMember } from './assignable.ts'
import { findClass, readMember } from './members.ts'
import { tainted } from './values.ts'
import { findVariable, readVariable } from './variables.ts'

export function resolveName(m: Machine, name: string, at: SourceRange): AbstractValue {
  const variable = findVariable(m.frame.scope, name)
  if (variable) return readVariable(m, variable)
  return (
    implicitMember(m, name) ??
    resolveOwnMethod(m, name) ??
    resolveAcrossFiles(m, name) ??
    externalValue(m, name, at)
  )
}

/** The value of a name if it is known, for rules. */
export function lookUp(m: Machine, name: string): AbstractValue | undefined {
  const variable = findVariable(m.frame.scope, name)
  return variable ? readVariable(m, variable) : (implicitMember(m, name) ?? resolveAcrossFiles(m, name))
}

/** In these languages methods of the enclosing class are called without a receiver. */
const IMPLICIT_RECEIVER: ReadonlySet<Language> = new Set(['java', 'ruby', 'dart', 'csharp', 'kotlin'])

function resolveOwnMethod(m: Machine, name: string): AbstractValue | undefined {
  if (!IMPLICIT_RECEIVER.has(m.language)) return undefined
  const self = findVariable(m.frame.scope, 'this')
  for (const definition of m.frame.classes) {
    const info = classOf(m, definition)
    const method = info?.methods.get(name)?.[0]
    if (info && method) {
      const object: AbstractValue =
        self && definition === m.frame.classes[0] ? readVariable(m, self) : info.self
      return { taints: [], callable: { definition: method, scope: info.scope, self: object } }
    }
    const getter = info?.methods.get(`get ${name}`)?.[0]
    if (info && getter) {
      const object = self && definition === m.frame.classes[0] ? readVariable(m, self) : info.self
      const callable = { definition: getter, scope: info.scope, self: object }
      return m.operations.invoke(m, callable, [], object)?.value
    }
    const inherited = info && readMember(m, info.self, name)
    if (inherited?.callable || (inherited && info?.self.fields?.has(name))) return inherited
  }
  return undefined
}

/** Classes and functions visible without an import: from the same package or the whole project. */
function resolveAcrossFiles(m: Machine, name: string): AbstractValue | undefined {
  if (m.language === 'javascript' || m.language === 'python') return undefined
  const short = lastSegment(name.includes('\\') ? name.replaceAll('\\', '.') : name)
  const { path, folder } = m.frame.file
  const info = findClass(m, short, path)
  if (info) return { taints: [], name: short, classDefinition: info.definition }
  const callable = lookUpFunctions(m, 'folderFunction', folder + short)[0] ?? onlyFunction(m, short)
  if (callable) return { taints: [], callable }
  return m.language === 'go' ? resolveInPackage(m, name, folder) : undefined
}

/** In these languages a file can use functions of any other. */
const GLOBAL_FUNCTIONS: ReadonlySet<Language> = new Set(['php', 'ruby', 'dart', 'kotlin'])

function onlyFunction(m: Machine, name: string): Callable | undefined {
  const all = GLOBAL_FUNCTIONS.has(m.language) ? lookUpFunctions(m, 'function', name) : undefined
  return all?.length === 1 ? all[0] : undefined
}

/** A variable of another file in the same folder. */
function resolveInPackage(m: Machine, name: string, folder: string): AbstractValue | undefined {
  for (const file of lookUpFolder(m, folder)) {
    if (file === m.frame.file) continue
    recordLookup(m, 'state', file.path)
    recordRead(m, file)
    const variable = file.frame?.scope.names.get(name)
    if (variable && file.state === 'done') return readVariable(m, variable)
  }
  return undefined
}

function externalValue(m: Machine, name: string, at: SourceRange): AbstractValue {
  const full = m.model.model.builtins?.get(name) ?? name
  for (const { origin, rangeOf } of findMatches(m.model.sources, full, lastSegment(full), null))
    return { ...tainted(origin, name, rangeOf?.(at) ?? at, m.frame.file.path), name: full }
  return { taints: [], name: full }
}
