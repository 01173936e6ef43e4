// Resolves imports between the scanned files: by relative path, package or class name.

import type { AbstractValue } from '../../abstract-value.ts'
import type { StmtOf } from '../../ir.ts'
import type { Machine, Scope, SourceFile } from '../machine.ts'
import {
  lookUpFile,
  lookUpFolder,
  lookUpFunctions,
  lookUpPythonModule,
  recordLookup,
} from '../units/trace.ts'
import { undoLater } from '../units/undo.ts'
import { findClass, folderOf, readMember } from './members.ts'
import { join, withField } from './values.ts'
import { declare, findVariable, readVariable } from './variables.ts'

export function bindImport(m: Machine, { module, imported, local }: StmtOf<'import'>): void {
  addModule(m, module)
  if (imported === SUBMODULE) {
    bindSubmodule(m, module, local)
    return
  }
  if (local === '*' || local === '_' || local === '.') return
  const value = resolveProjectImport(m, module, imported) ?? externalModule(m, module, imported)
  declare(m, local, value)
}

function addModule(m: Machine, module: string): void {
  const { file } = m.frame
  if (file.modules.has(module)) return
  file.modules.add(module)
  file.importAnswers.clear()
  undoLater(m, file, () => {
    file.modules.delete(module)
    file.importAnswers.clear()
  })
}

/** `import a.b` in Python binds `a` and makes `a.b` readable through it. */
export const SUBMODULE = '.'

function bindSubmodule(m: Machine, module: string, local: string): void {
  addModule(m, local)
  const bound = findVariable(m.frame.scope, local)
  const before = bound && readVariable(m, bound)
  const whole =
    before?.name === local || before?.fields
      ? before
      : (resolveProjectImport(m, local, null) ?? externalModule(m, local, null))
  const file = findPythonFile(m, module)
  const inside = file && withSubmodule(whole, module.split('.').slice(1), topLevelOf(m, file))
  declare(m, local, inside ?? whole)
}

function withSubmodule(
  whole: AbstractValue,
  [first, ...rest]: readonly string[],
  value: AbstractValue,
): AbstractValue {
  if (first === undefined) return value
  const part = whole.fields?.get(first) ?? {
    taints: [],
    ...(whole.name !== undefined && { name: `${whole.name}.${first}` }),
  }
  return withField(whole, first, withSubmodule(part, rest, value))
}

function externalModule({ language }: Machine, module: string, imported: string | null): AbstractValue {
  const isWhole = imported === null || (imported === 'default' && language === 'javascript')
  return { taints: [], name: isWhole ? module : `${module}.${imported}` }
}

function resolveProjectImport(
  m: Machine,
  module: string,
  imported: string | null,
): AbstractValue | undefined {
  switch (m.language) {
    case 'javascript': {
      const file = module.startsWith('.') ? findRelativeModule(m, module) : undefined
      return file && importFromScript(m, file, imported)
    }
    case 'python':
      return importFromPython(m, module, imported)
    case 'go':
      return imported === null ? importGoPackage(m, module) : undefined
    case 'kotlin':
      return importClass(m, module, imported) ?? importFunction(m, module, imported)
    default:
      return importClass(m, module, imported)
  }
}

const EXTENSIONS = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '/index.ts',
  '/index.js',
  '/index.tsx',
  '/index.mjs',
]

function findRelativeModule(m: Machine, module: string): SourceFile | undefined {
  const path = resolvePath(folderOf(m.frame.file.path), module)
  for (const ending of EXTENSIONS) {
    const file = lookUpFile(m, path + ending)
    if (file) return file
  }
  // Compiled imports name the output file, such as `.js` for `.ts`.
  const bare = path.replace(/\.[cm]?jsx?$/, '')
  return bare === path
    ? undefined
    : (lookUpFile(m, `${bare}.ts`) ?? lookUpFile(m, `${bare}.tsx`) ?? lookUpFile(m, `${bare}.mts`))
}

function resolvePath(folder: string, module: string): string {
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.')
  for (const part of module.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return (folder.startsWith('/') ? '/' : '') + parts.join('/')
}

/** A script exports both `module.exports` and `exports`. */
function importFromScript(m: Machine, file: SourceFile, imported: string | null): AbstractValue | undefined {
  m.operations.runFile(m, file)
  const names = file.frame?.scope.names
  const [whole, single] = [names?.get('module'), names?.get('exports')]
  if (!whole || !single) return undefined
  const assigned = readMember(m, readVariable(m, whole), 'exports')
  const exported = readVariable(m, single)
  const given =
    assigned.name === 'module.exports'
      ? exported
      : exported.fields?.size
        ? join(assigned, exported)
        : assigned
  if (imported === null) return given
  if (imported === 'default') return given.fields?.get('default') ?? given
  return (
    given.fields?.get(imported) ?? (given.taints.length > 0 ? readMember(m, given, imported) : { taints: [] })
  )
}

function importFromPython(m: Machine, module: string, imported: string | null): AbstractValue | undefined {
  const inside =
    imported !== null && findPythonFile(m, module.endsWith('.') ? module + imported : `${module}.${imported}`)
  if (inside) return topLevelOf(m, inside)
  const file = findPythonFile(m, module)
  if (!file) return undefined
  const all = topLevelOf(m, file)
  return imported === null ? all : all.fields?.get(imported)
}

function findPythonFile(m: Machine, module: string): SourceFile | undefined {
  const dots = /^\.+/.exec(module)?.[0].length ?? 0
  const own = module.slice(dots).replaceAll('.', '/')
  if (dots > 0) {
    const path = resolvePath(folderOf(m.frame.file.path), `${'../'.repeat(dots - 1)}${own}`)
    return lookUpFile(m, `${path}.py`) ?? lookUpFile(m, `${path}/__init__.py`)
  }
  if (own === '') return undefined
  const ends = [`${own}.py`, `${own}/__init__.py`]
  const [exact] = ends.flatMap((end) => lookUpFile(m, end) ?? [])
  if (exact) return exact
  const beside = ends.flatMap((end) => lookUpFile(m, folderOf(m.frame.file.path) + end) ?? [])[0]
  if (beside || !own.includes('/')) return beside
  return lookUpPythonModule(m, own)
}

/** All top-level variables of a file. */
function topLevelOf(m: Machine, file: SourceFile): AbstractValue {
  m.operations.runFile(m, file)
  const fields = new Map<string, AbstractValue>()
  for (const [name, variable] of file.frame?.scope.names ?? []) fields.set(name, readVariable(m, variable))
  return { taints: [], fields }
}

/** A Go package is a folder. */
function importGoPackage(m: Machine, module: string): AbstractValue | undefined {
  const fields = new Map<string, AbstractValue>()
  recordLookup(m, 'folders', '')
  for (const folder of m.filesByFolder.keys()) {
    if (folder === '' || !`/${module}/`.endsWith(`/${folder}`)) continue
    for (const file of lookUpFolder(m, folder)) {
      if (file === m.frame.file) continue
      for (const [name, value] of topLevelOf(m, file).fields ?? []) fields.set(name, value)
    }
  }
  return fields.size > 0 ? { taints: [], name: module, fields } : undefined
}

/** Classes of Java and PHP: `import a.b.C`, `import static a.b.C.d`, `use A\B\C`. */
function importClass(m: Machine, module: string, imported: string | null): AbstractValue | undefined {
  const named = (name: string) => {
    const info = findClass(m, name, m.frame.file.path)
    return info && isInPackage(info.file, module) ? info : undefined
  }
  const info = named(imported ?? module)
  if (info) return { taints: [], name: info.definition.name, classDefinition: info.definition }
  const holder = imported === null ? undefined : named(module)
  return holder && imported !== null
    ? readMember(m, { taints: [], classDefinition: holder.definition }, imported)
    : undefined
}

/** A function at the top level of a Kotlin file: `import a.b.send`. */
function importFunction(m: Machine, module: string, imported: string | null): AbstractValue | undefined {
  const all = imported === null ? [] : lookUpFunctions(m, 'function', imported)
  // The engine created every scope of a callable.
  const callable = all.find(({ scope }) => (scope as Scope).frame.file.program.package === module)
  return callable && { taints: [], callable }
}

/** A class with the same name in another package is a different class. */
const isInPackage = ({ program }: SourceFile, module: string): boolean =>
  program.package === null || module.replaceAll('\\', '.').startsWith(program.package.replaceAll('\\', '.'))
