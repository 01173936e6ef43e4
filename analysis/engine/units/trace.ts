// Records the files and searches that the analysis of a file uses, so that a later scan can compare them.

import type { Callable } from '../../abstract-value.ts'
import type { ClassDefinition, FunctionDefinition } from '../../ir.ts'
import type { ClassInfo, Machine, Scope, SourceFile, Trace } from '../machine.ts'
import { extensionsNamed, methodsNamed } from './method-indexes.ts'

export const createTrace = (file: SourceFile, isUnit: boolean): Trace => ({
  file,
  reads: new Set([file]),
  writes: new Set(),
  lookups: new Map(),
  isUnit,
  undo: [],
  changed: new Set(),
})

export const fileOf = ({ scope }: Pick<Callable, 'scope'>): SourceFile => (scope as Scope).frame.file

export function recordRead({ trace }: Machine, file: SourceFile): void {
  trace.reads.add(file)
}

/** Another file runs now, and can see the changes that are not undone yet. */
export function recordWrites({ reads, writes, changed }: Trace): void {
  for (const file of changed) {
    reads.add(file)
    writes.add(file)
  }
}

/** The searches whose results depend on which files the scan has. */
const ANSWERS = {
  file: (m: Machine, path: string) => (m.files.has(path) ? 'yes' : ''),
  folder: (m: Machine, folder: string) => pathsOf(m.filesByFolder.get(folder) ?? []),
  folders: (m: Machine) => [...m.filesByFolder.keys()].join('\n'),
  pythonModule: (m: Machine, module: string) => findByEnd(m, module)?.path ?? '',
  state: (m: Machine, path: string) => m.files.get(path)?.state ?? '',
  class: (m: Machine, name: string) => classesText(m.classesByName.get(name) ?? []),
  base: (m: Machine, name: string) => classesText(m.classesByBase.get(name) ?? []),
  function: (m: Machine, name: string) => functionsText(m.functionsByName.get(name) ?? []),
  folderFunction: (m: Machine, name: string) => functionsText([m.functionsByFolder.get(name)]),
  method: (m: Machine, name: string) => classesText(methodsNamed(m, name)),
  extension: (m: Machine, name: string) => functionsText(extensionsNamed(m, name)),
} as const

export type LookupKind = keyof typeof ANSWERS

export const answerTo = (m: Machine, key: string): string => {
  const at = key.indexOf(' ')
  return ANSWERS[key.slice(0, at) as LookupKind](m, key.slice(at + 1))
}

/** Records a search. An equal search in a later scan must have an equal result. */
export function recordLookup(m: Machine, kind: LookupKind, name: string): void {
  const { lookups } = m.trace
  const key = `${kind} ${name}`
  const before = lookups.get(key)
  if (before?.version === m.tablesVersion) return
  const answer = ANSWERS[kind](m, name)
  if (!before) lookups.set(key, { answer, version: m.tablesVersion })
  else {
    if (before.answer !== answer && !before.answer.endsWith(`|${answer}`)) before.answer += `|${answer}`
    before.version = m.tablesVersion
  }
}

export function lookUpFile(m: Machine, path: string): SourceFile | undefined {
  recordLookup(m, 'file', path)
  return m.files.get(path)
}

export function lookUpFolder(m: Machine, folder: string): readonly SourceFile[] {
  recordLookup(m, 'folder', folder)
  return m.filesByFolder.get(folder) ?? []
}

/** The first file of a Python module below any folder. */
export function lookUpPythonModule(m: Machine, module: string): SourceFile | undefined {
  recordLookup(m, 'pythonModule', module)
  return findByEnd(m, module)
}

function findByEnd(m: Machine, module: string): SourceFile | undefined {
  const before = m.pythonFiles.get(module)
  if (before !== undefined) return before ?? undefined
  const ends = [`/${module}.py`, `/${module}/__init__.py`]
  const found = m.files.values().find(({ path }) => ends.some((end) => path.endsWith(end)))
  m.pythonFiles.set(module, found ?? null)
  return found
}

export function lookUpClasses(
  m: Machine,
  kind: 'class' | 'base' | 'method',
  name: string,
): readonly ClassInfo[] {
  recordLookup(m, kind, name)
  const found =
    kind === 'method'
      ? methodsNamed(m, name)
      : ((kind === 'class' ? m.classesByName : m.classesByBase).get(name) ?? NONE)
  for (const { file } of found) m.trace.reads.add(file)
  return found
}

export function lookUpFunctions(
  m: Machine,
  kind: 'function' | 'folderFunction' | 'extension',
  name: string,
): readonly Callable[] {
  recordLookup(m, kind, name)
  const found =
    kind === 'extension'
      ? extensionsNamed(m, name)
      : kind === 'function'
        ? (m.functionsByName.get(name) ?? NONE)
        : (m.functionsByFolder.get(name) ?? NONE)
  const all = 'definition' in found ? [found] : found
  for (const callable of all) m.trace.reads.add(fileOf(callable))
  return all
}

const NONE: readonly never[] = []

/** The class of a definition, if it is known. */
export function classOf(m: Machine, definition: ClassDefinition): ClassInfo | undefined {
  const info = m.classes.get(definition)
  if (info) m.trace.reads.add(info.file)
  return info
}

/** The class of a method, if it is known. */
export function homeOf(m: Machine, definition: FunctionDefinition): ClassInfo | undefined {
  const info = m.methodClasses.get(definition)
  if (info) m.trace.reads.add(info.file)
  return info
}

const pathsOf = (files: readonly SourceFile[]): string => files.map(({ path }) => path).join('\n')

const classesText = (found: readonly ClassInfo[]): string =>
  found.map(({ file, definition }) => `${file.path}:${definition.at.start}`).join('\n')

const functionsText = (found: readonly (Callable | undefined)[]): string =>
  found.map((callable) => callable && `${fileOf(callable).path}:${callable.definition.at.start}`).join('\n')
