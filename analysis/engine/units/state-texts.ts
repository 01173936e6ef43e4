// Texts for the state of files after the top level of all files ran. Equal texts mean equal states.

import type { Machine, SourceFile } from '../machine.ts'
import { hashOf } from '../reuse-cache.ts'
import { answerTo } from './trace.ts'

export type StateTexts = ReadonlyMap<SourceFile, string>

const ids = new WeakMap<object, number>()
let lastId = 0

/** Programs of unchanged files, and unchanged rules, are the same objects. */
export function idOf(object: object): number {
  const known = ids.get(object)
  if (known !== undefined) return known
  lastId += 1
  ids.set(object, lastId)
  return lastId
}

/**
 * The state of a file depends on the files that it read, and on those that changed its variables or classes. Their
 * programs and the results of their searches must be equal, and their order if one of them changed another one or
 * they import each other.
 */
export function stateTexts(m: Machine): StateTexts {
  const files = [...m.files.values()]
  const edges = dependenciesOf(files)
  const own = ownTexts(m, files)
  const position = new Map(m.runOrder.map((file, index) => [file, index]))
  const texts = new Map<SourceFile, string>()
  const closures = new Map(files.map((file) => [file, reachable(file, edges)]))
  const isInCycle = (file: SourceFile) =>
    [...(edges.get(file) ?? [])].some((next) => next !== file && closures.get(next)?.has(file))
  const isOrdered = new Set(files.filter((file) => (file.trace?.writes.size ?? 0) > 0 || isInCycle(file)))
  for (const file of files) {
    const closure = [...(closures.get(file) ?? [])]
    const listed = closure.some((each) => isOrdered.has(each))
      ? closure.sort((one, other) => (position.get(one) ?? 0) - (position.get(other) ?? 0))
      : closure.sort(byPath)
    texts.set(file, hashOf(listed.map((each) => own.get(each) ?? '')))
  }
  return texts
}

const byPath = (one: SourceFile, other: SourceFile): number => (one.path < other.path ? -1 : 1)

function dependenciesOf(files: readonly SourceFile[]): ReadonlyMap<SourceFile, ReadonlySet<SourceFile>> {
  const edges = new Map(files.map((file) => [file, new Set(file.trace?.reads)]))
  for (const file of files) for (const changed of file.trace?.writes ?? []) edges.get(changed)?.add(file)
  return edges
}

function reachable(
  from: SourceFile,
  edges: ReadonlyMap<SourceFile, ReadonlySet<SourceFile>>,
): ReadonlySet<SourceFile> {
  const all = new Set([from])
  for (const each of all) for (const next of edges.get(each) ?? []) all.add(next)
  return all
}

function ownTexts(m: Machine, files: readonly SourceFile[]): ReadonlyMap<SourceFile, string> {
  const registered = new Map<SourceFile, string[]>()
  for (const [definition, { by, route }] of m.registrations) {
    const file = m.registeredFiles.get(definition)
    if (!file) continue
    const all = registered.get(file) ?? []
    registered.set(file, all)
    all.push(`${definition.at.start} ${by} ${route}`)
  }
  return new Map(
    files.map((file) => {
      const searched = [...(file.trace?.lookups ?? [])].map(([key, { answer }]) => `${key}=${answer}`).sort()
      const parts = [file.path, String(idOf(file.program)), String(searched.length), ...searched]
      return [file, hashOf([...parts, ...(registered.get(file) ?? []).sort()])]
    }),
  )
}

/** The files and searches that the analysis of the functions of a file used. */
export type UnitInputs = { readonly reads: readonly string[]; readonly lookups: readonly string[] }

/** Null if a file is missing. */
export function fingerprintOf(m: Machine, texts: StateTexts, { reads, lookups }: UnitInputs): string | null {
  const parts: string[] = []
  for (const path of reads) {
    const file = m.files.get(path)
    if (!file) return null
    parts.push(path, texts.get(file) ?? '')
  }
  for (const key of lookups) parts.push(key, answerTo(m, key))
  return hashOf(parts)
}
