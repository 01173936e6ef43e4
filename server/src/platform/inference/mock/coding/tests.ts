// Writes unit tests for functions: from the examples that are known, in the manner of the tests that are there.
import { type Known, knownByName, type Language, literal } from '../known/known.ts'
import type { Clause } from './clauses.ts'
import { functionNames } from './functions.ts'
import { isCommonJs, withImports } from './insert.ts'
import { inStyleOf, isTestPath, languageOf } from './language.ts'
import { pathsIn, speaksOf } from './mentions.ts'
import type { Doing } from './recogniser.ts'
import { importOf, testFrame } from './test-frame.ts'
import { type Spoken, type Workspace, write } from './workspace.ts'

export const wantsTests = (text: string): boolean =>
  /\b(unit[- ]?)?tests?\b(?!\.)/i.test(text.replaceAll(/\S+\.\w+/g, ' '))

/** For the functions that are named, or were written just now, or are in the file that is named. */
export function addTests(clause: Clause, workspace: Workspace): Doing | null {
  if (!wantsTests(clause.text)) return null
  const subjects = subjectsOf(clause, workspace)
  const path = subjects[0]?.path
  const language = path === undefined ? undefined : languageOf(path)
  if (path === undefined || language === undefined || !['js', 'ts', 'py', 'go'].includes(language))
    return null

  const named = subjects.filter((each) => each.path === path)
  const target = pathsIn(clause, workspace).find(isTestPath) ?? testPathFor(path, workspace, language)
  const before = workspace.files.get(target) ?? ''
  const missing = named.filter(({ name }) => !new RegExp(`\\b${name}\\(`).test(before))
  if (missing.length === 0) return null
  const names = missing.map(({ name }) => name)
  write(
    workspace,
    target,
    withTests(before, path, target, names, language, workspace),
    `test ${names.join(', ')}`,
  )
  // "it" stays what is tested.
  workspace.lastPath = path
  return {
    steps: [`Test ${names.map((name) => `\`${name}\``).join(', ')} in ${target}.`],
    said: `Tests for ${names.map((name) => `\`${name}\``).join(', ')} are in ${target}.`,
  }
}

function subjectsOf(clause: Clause, workspace: Workspace): readonly Spoken[] {
  const sources = [...workspace.files].filter(([path]) => languageOf(path) !== undefined && !isTestPath(path))
  const defined = sources.flatMap(([path, text]) =>
    functionNames(text, languageOf(path) ?? 'js').map((name) => ({ path, name })),
  )
  const spoken = defined.filter(({ name }) => speaksOf(clause, name))
  if (spoken.length > 0) return spoken
  if (workspace.functions.length > 0) return workspace.functions
  const paths = pathsIn(clause, workspace)
  const inNamed = defined.filter(({ path }) => paths.includes(path))
  return inNamed.length > 0 ? inNamed : sources.length === 1 ? defined : []
}

function testPathFor(path: string, workspace: Workspace, language: Language): string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const file = path.slice(folder.length)
  const stem = file.slice(0, file.lastIndexOf('.'))
  const extension = file.slice(stem.length)
  const there = [...workspace.files.keys()].filter(isTestPath)
  const own = there.find((each) =>
    new RegExp(`(^|/)(test_)?${escaped(stem)}([._](test|spec))?\\.\\w+$`).test(each),
  )
  if (own !== undefined) return own
  if (language === 'go') return `${folder}${stem}_test.go`
  const apart = there.find((each) => /^tests?\//.test(each))?.split('/')[0]
  if (language === 'py') return `${apart === undefined ? folder : `${apart}/`}test_${stem}.py`
  return apart === undefined ? `${folder}${stem}.test${extension}` : `${apart}/${stem}.test${extension}`
}

function withTests(
  before: string,
  path: string,
  target: string,
  names: readonly string[],
  language: Language,
  workspace: Workspace,
): string {
  const frame = testFrame(language, workspace, isCommonJs(workspace, path))
  const imported = importOf(path, target, names, language, isCommonJs(workspace, path))
  const tests = names.map((name) =>
    inStyleOf(before, frame.test(name, checksOf(name, language, frame.check)), language),
  )
  const gap = language === 'py' ? '\n\n\n' : '\n\n'
  if (before.trim() === '') return `${[frame.head(imported), ...tests].join(gap)}\n`
  const head =
    language === 'go' ? before : withImports(before, inStyleOf(before, imported, language).split('\n'))
  return `${head.trimEnd()}${gap}${tests.join(gap)}\n`
}

function checksOf(
  name: string,
  language: Language,
  check: (call: string, expected: string, isDeep: boolean) => string,
) {
  const known: Known | undefined = knownByName(name)
  return (known?.examples ?? []).map(([args, expected]) =>
    check(
      `${name}(${args.map((each) => literal(each, language)).join(', ')})`,
      literal(expected, language),
      typeof expected === 'object' && expected !== null,
    ),
  )
}

const escaped = (text: string): string => text.replaceAll(/[^\w]/g, '\\$&')
