// Repairs what tests import and do not get: a name that is not exported, a well-known function that is not written yet.
import { findFunction } from '../coding/functions.ts'
import { isCommonJs, withExport, withFunction } from '../coding/insert.ts'
import { isTestPath, languageOf } from '../coding/language.ts'
import { type Workspace, write } from '../coding/workspace.ts'
import { knownByName, type Language, writeKnown } from '../known/known.ts'

type Import = { readonly path: string; readonly names: readonly string[]; readonly language: Language }

/** Sentences about what was done. */
export function supplyImports(workspace: Workspace): readonly string[] {
  const imports = [...workspace.files]
    .filter(([path]) => isTestPath(path))
    .flatMap(([path, text]) => importsOf(path, text.slice(0, 100_000), workspace))
  return imports.flatMap(({ path, names, language }) =>
    names.flatMap((name) => supply(workspace, path, name, language) ?? []),
  )
}

function supply(workspace: Workspace, path: string, name: string, language: Language): string | undefined {
  const text = workspace.files.get(path) ?? ''
  const isCommon = isCommonJs(workspace, path)
  const isThere =
    findFunction(text, name, language) !== undefined ||
    new RegExp(`\\b(class|const|let|var|type|interface)\\s+${name}\\b|^${name}\\s*=`, 'm').test(text)
  if (isThere) {
    if (language === 'py' || isExported(text, name)) return undefined
    const changed = withExport(text, name, isCommon)
    if (changed === null) return undefined
    write(workspace, path, changed, `export ${name}, which the tests import`)
    return `Exported \`${name}\` from ${path}.`
  }
  const known = knownByName(name)
  const written = known === undefined ? undefined : writeKnown(known, language, name)
  if (known === undefined || written === undefined || new RegExp(`\\b${name}\\b`).test(text)) return undefined
  write(
    workspace,
    path,
    withFunction(text, written, language, isCommon),
    `add ${name}, which the tests import`,
  )
  return `Added \`${name}\` to ${path}: ${known.does}`
}

const isExported = (text: string, name: string): boolean =>
  new RegExp(
    `\\bexport\\s+(?:default\\s+)?(?:async\\s+)?(?:function\\*?|const|let|var|class)\\s+${name}\\b|\\bexport\\s*\\{[^}]*\\b${name}\\b|\\bexports\\.${name}\\b|\\bmodule\\.exports\\s*=\\s*(?:\\{[^}]*\\b)?${name}\\b|\\bexport\\s+default\\s+${name}\\b`,
  ).test(text)

function importsOf(path: string, text: string, workspace: Workspace): readonly Import[] {
  const language = languageOf(path)
  if (language === 'py')
    return [...text.matchAll(/^from\s+([\w.]+)\s+import\s+\(?([\w, \t]+)/gm)].flatMap(
      ([, module = '', list = '']) => {
        const source = pythonPath(module, path, workspace)
        return source === undefined ? [] : [{ path: source, names: namesOf(list), language }]
      },
    )
  if (language !== 'js' && language !== 'ts') return []
  const lists =
    /(?:import\s*\{([^}]*)\}\s*from\s*|(?:const|let|var)\s*\{([^}]*)\}\s*=\s*require\()['"](\.[^'"]+)['"]/g
  return [...text.matchAll(lists)].flatMap(([, first, second, from = '']) => {
    const source = scriptPath(from, path, language, workspace)
    return [{ path: source, names: namesOf(first ?? second ?? ''), language: languageOf(source) ?? language }]
  })
}

const namesOf = (list: string): readonly string[] =>
  list
    .split(',')
    .map((each) => /^\s*([A-Za-z_$][\w$]*)/.exec(each)?.[1] ?? '')
    .filter((name) => name !== '' && name !== 'type')

/** A module that is not there is written beside the tests, unless it is somebody else's. */
function pythonPath(module: string, test: string, { files }: Workspace): string | undefined {
  const file = `${module.replaceAll('.', '/')}.py`
  const folder = test.slice(0, test.lastIndexOf('/') + 1)
  const there = [...files.keys()].find(
    (path) => path === file || path === folder + file || path.endsWith(`/${file}`),
  )
  return there ?? (THEIRS.test(module) ? undefined : file)
}

const THEIRS =
  /^(pytest|unittest|typing|dataclasses|datetime|decimal|collections|math|json|os|re|sys|pathlib|functools|itertools|flask|fastapi|django|numpy|pandas|requests)(\.|$)/

function scriptPath(from: string, test: string, language: Language, { files }: Workspace): string {
  const parts = test.split('/').slice(0, -1)
  for (const part of from.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  const path = parts.join('/')
  const endings = ['', '.js', '.ts', '.mjs', '.cjs', '.tsx', '.jsx', '/index.js', '/index.ts']
  const stem = path.replace(/\.js$/, '')
  const there = [...endings.map((ending) => path + ending), `${stem}.ts`].find((each) => files.has(each))
  return there ?? (/\.\w+$/.test(path) ? path : `${path}.${language}`)
}
