// What a name stands for: a variable, a member of the class around, something of another file, or something from outside.

import type { Callable, Value } from '../../abstract-value.ts'
import type { Place } from '../../syntax/tree.ts'
import type { Machine } from '../machine.ts'
import { lastPart, matching } from '../name-patterns.ts'
import { implicitMember } from './assignable.ts'
import { classNamed, readMember } from './members.ts'
import { tainted } from './values.ts'
import { find, read } from './variables.ts'

export function nameValue(m: Machine, name: string, at: Place): Value {
  const variable = find(m.frame.scope, name)
  if (variable) return read(m, variable)
  return implicitMember(m, name) ?? ownMethod(m, name) ?? ofOtherFiles(m, name) ?? fromOutside(m, name, at)
}

/** What a name holds where that is known, for rules that ask. */
export function lookUp(m: Machine, name: string): Value | undefined {
  const variable = find(m.frame.scope, name)
  return variable ? read(m, variable) : (implicitMember(m, name) ?? ofOtherFiles(m, name))
}

/** Java calls the methods of the class around without naming it. */
function ownMethod(m: Machine, name: string): Value | undefined {
  if (m.language !== 'java') return undefined
  const self = find(m.frame.scope, 'this')
  for (const definition of m.frame.classes) {
    const info = m.classes.get(definition)
    const method = info?.methods.get(name)?.[0]
    if (info && method) {
      const object: Value = self && definition === m.frame.classes[0] ? read(m, self) : info.self
      return { taints: [], callable: { definition: method, scope: info.scope, self: object } }
    }
    const inherited = info && readMember(m, info.self, name)
    if (inherited?.callable || (inherited && info?.self.fields?.has(name))) return inherited
  }
  return undefined
}

/** Classes and functions that need no import: of the same package, or of anywhere. */
function ofOtherFiles(m: Machine, name: string): Value | undefined {
  if (m.language === 'javascript' || m.language === 'python') return undefined
  const short = lastPart(name.includes('\\') ? name.replaceAll('\\', '.') : name)
  const { path, folder } = m.frame.file
  const info = classNamed(m, short, path)
  if (info) return { taints: [], name: short, of: info.definition }
  const callable = m.functionsByPlace.get(folder + short) ?? onlyFunction(m, short)
  if (callable) return { taints: [], callable }
  return m.language === 'go' ? ofPackage(m, name, folder) : undefined
}

/** PHP loads files from anywhere. */
function onlyFunction(m: Machine, name: string): Callable | undefined {
  const all = m.language === 'php' ? m.functionsByName.get(name) : undefined
  return all?.length === 1 ? all[0] : undefined
}

/** A variable of another file of the same folder. */
function ofPackage(m: Machine, name: string, folder: string): Value | undefined {
  for (const file of m.filesByFolder.get(folder) ?? []) {
    if (file === m.frame.file) continue
    const variable = file.frame?.scope.names.get(name)
    if (variable && file.state === 'done') return read(m, variable)
  }
  return undefined
}

function fromOutside(m: Machine, name: string, at: Place): Value {
  const full = m.model.model.builtins?.get(name) ?? name
  for (const { origin } of matching(m.model.sources, full, lastPart(full), null))
    return { ...tainted(origin, name, at, m.frame.file.path), name: full }
  return { taints: [], name: full }
}
