// Reads members and items: known fields, methods, taint sources, or parts of a tainted value.

import { type AbstractValue, type Taint, UNTAINTED } from '../../abstract-value.ts'
import type { FunctionDefinition } from '../../ir.ts'
import type { SourceRange } from '../../syntax/tree.ts'
import type { ClassInfo, Machine } from '../machine.ts'
import { bareType, findMatches, lastSegment } from '../name-patterns.ts'
import { qualifiedName } from '../qualified-names.ts'
import { classOf, lookUpClasses } from '../units/trace.ts'
import { constantValue, itemsOf, tainted } from './values.ts'

const NAME_LENGTH_MAX = 120
const LABEL_LENGTH_MAX = 60
export function readMember(m: Machine, object: AbstractValue, key: string, at?: SourceRange): AbstractValue {
  const field = object.fields?.get(key)
  if (field) return field
  if (typeof object.known === 'string' && key === 'length') return constantValue(object.known.length)
  // A length does not propagate taint.
  if (key === 'length' && !object.others)
    return object.size === undefined ? UNTAINTED : constantValue(object.size)
  const source = sourceOf(m, object, key, at, '?')
  if (source) return source
  if (object.classDefinition) {
    const own = methodOf(m, object, key) ?? sourceOf(m, object, key, at, 'this')
    if (own) return own
  }
  if (object.others) return object.others
  const qualified = qualifiedClass(m, object, key)
  if (qualified) return qualified
  const name = memberName(object, key)
  if (object.taints.length === 0) return name === undefined ? UNTAINTED : { taints: [], name }
  return {
    taints: object.taints.map((taint) => memberTaint(taint, key)),
    ...(name !== undefined && { name }),
  }
}

/** A class written with its package or module. */
function qualifiedClass(m: Machine, object: AbstractValue, key: string): AbstractValue | undefined {
  if (m.language === 'java' || m.language === 'kotlin') return classInPackage(m, object.name, key)
  if (m.language !== 'ruby' || !/^[A-Z]/.test(key) || RUBY_LIBRARIES.test(object.name ?? '')) return undefined
  const info = findClass(m, key, m.frame.file.path)
  return info && { taints: [], name: key, classDefinition: info.definition }
}

/** Their classes have common names, such as `Net::HTTP`. */
const RUBY_LIBRARIES =
  /^(?:Net|OpenSSL|Digest|File|ERB|Rack|Active\w+|Action\w+|URI|JSON|YAML|Psych|Sinatra|Arel|Sequel|Process|Kernel|CGI|Time|Faraday|Nokogiri)(?:\.|$)/

/** `new com.example.Reader(…)` without an import. */
function classInPackage(m: Machine, name: string | undefined, key: string): AbstractValue | undefined {
  if (name === undefined || !/^[A-Z]/.test(key)) return undefined
  const info = lookUpClasses(m, 'class', key).find(({ file }) => file.program.package === name)
  return info && { taints: [], name: key, classDefinition: info.definition }
}

/** Reads an item by a known key, or the join of all items. The key does not taint the result. */
export function readItem(
  m: Machine,
  object: AbstractValue,
  key: AbstractValue,
  at?: SourceRange,
): AbstractValue {
  if (typeof object.known === 'string' && typeof key.known === 'number') {
    const character = object.known.at(key.known)
    return character === undefined ? UNTAINTED : constantValue(character)
  }
  if (key.known !== undefined && key.known !== null)
    return readMember(m, object, keyOf(object, key.known), at)
  if (typeof object.known === 'string') return UNTAINTED
  return itemsOf(object)
}

/** A negative index counts from the end of the list. */
const keyOf = ({ size }: AbstractValue, key: string | number | boolean): string =>
  typeof key === 'number' && key < 0 && size !== undefined ? String(size + key) : String(key)

export function memberName(object: AbstractValue, key: string): string | undefined {
  if (object.name === undefined || object.name.length + key.length > NAME_LENGTH_MAX) return undefined
  return qualifiedName(object.name, '.', key)
}

function memberTaint(taint: Taint, key: string): Taint {
  if (taint.steps.length > 1 || taint.unknownCalls > 0 || taint.label.length > LABEL_LENGTH_MAX) return taint
  const label = `${taint.label}.${key}`
  return { ...taint, label, steps: taint.steps.map((step) => ({ ...step, what: label })) }
}

function sourceOf(
  m: Machine,
  object: AbstractValue,
  key: string,
  at: SourceRange | undefined,
  owner: '?' | 'this',
): AbstractValue | undefined {
  const { sources } = m.model
  if (!sources.byLastSegment.has(key) && sources.prefixes.length === 0) return undefined
  const name = `${object.name ?? owner}.${key}`
  for (const { origin, rangeOf } of findMatches(sources, name, key, object)) {
    const range = at ?? m.frame.statement?.at ?? NOWHERE
    const place = rangeOf?.(range) ?? range
    const label = at ? m.frame.file.source(at).replace(/\s+/g, ' ').slice(0, LABEL_LENGTH_MAX) : name
    return { ...tainted(origin, label, place, m.frame.file.path), name }
  }
  return undefined
}

const NOWHERE: SourceRange = { start: 0, end: 0, line: 1, endLine: 1 }

/** A method of the class or its bases, or a field that all instances have. */
function methodOf(m: Machine, object: AbstractValue, key: string): AbstractValue | undefined {
  const info = object.classDefinition && classOf(m, object.classDefinition)
  if (!info) return undefined
  const field = info.self.fields?.get(key) ?? info.statics.fields?.get(key)
  if (field) return field
  for (const each of classHierarchy(m, info)) {
    const definition = each.methods.get(key)?.[0]
    if (definition) return { taints: [], callable: { definition, scope: each.scope, self: object } }
    const inherited = each.self.fields?.get(key) ?? each.statics.fields?.get(key)
    if (inherited) return inherited
  }
  return undefined
}

const BASES_MAX = 12

/** The class, its bases, and for Go the same type in other files of the package. */
export function classHierarchy(m: Machine, info: ClassInfo): readonly ClassInfo[] {
  const before = m.bases.get(info)
  // A newly registered class may belong to the hierarchy.
  if (before && before.version === m.classesVersion) return before.all
  const all = collectHierarchy(m, info)
  m.bases.set(info, { all, version: m.classesVersion })
  return all
}

function collectHierarchy(m: Machine, info: ClassInfo): ClassInfo[] {
  const all = [info]
  for (let index = 0; index < all.length && all.length < BASES_MAX; index++) {
    const each = all[index]
    if (!each) break
    const above = each.definition.bases.map((base) => findClass(m, base, each.file.path))
    for (const next of [...above, ...siblings(m, each)]) if (next && !all.includes(next)) all.push(next)
  }
  return all
}

/** The methods of a Go type may be in any file of the package. */
const siblings = (m: Machine, { definition, file }: ClassInfo): ClassInfo[] =>
  m.language === 'go'
    ? lookUpClasses(m, 'class', definition.name).filter((each) => each.file.folder === file.folder)
    : []

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

/** Finds the class of a type name: in the same file, in the same folder, or the only class with that name. */
export function findClass(m: Machine, type: string, path: string): ClassInfo | undefined {
  const all = lookUpClasses(m, 'class', shortName(type))
  if (all.length <= 1) return all[0]
  return (
    all.find(({ file }) => file.path === path) ??
    all.find(({ file }) => file.folder === folderOf(path)) ??
    undefined
  )
}

function shortName(type: string): string {
  const short = lastSegment(bareType(type))
  return /[\\/$]/.test(short) ? short.replace(/^.*[\\/$]/, '') : short
}

/**
 * The implementations of a method: of the class itself, otherwise of the classes that implement the
 * interface.
 */
export function findImplementations(
  m: Machine,
  info: ClassInfo,
  name: string,
  count: number,
): [ClassInfo, FunctionDefinition][] {
  for (const each of classHierarchy(m, info)) {
    const all =
      each.methods.get(name)?.filter(({ body, isExpression }) => body.length > 0 || isExpression) ?? []
    const fitting = all.find(({ parameters }) => parameters.length === count) ?? all[0]
    if (fitting) return [[each, fitting]]
  }
  return implementersOf(m, info).flatMap((each) => {
    const found = each.methods.get(name)?.find(({ parameters }) => parameters.length === count)
    return found ? [[each, found] satisfies [ClassInfo, FunctionDefinition]] : []
  })
}

const implementersOf = (m: Machine, { definition }: ClassInfo): readonly ClassInfo[] =>
  lookUpClasses(m, 'base', definition.name)
