// Adds a function to a file, or a file for it.
import type { Language } from '../known/known.ts'
import type { Clause } from './clauses.ts'
import { findFunction } from './functions.ts'
import { isCommonJs, withFunction } from './insert.ts'
import { isTestPath, languageOf, mainLanguage, spokenLanguage } from './language.ts'
import { pathsIn } from './mentions.ts'
import type { Doing } from './recogniser.ts'
import { addTests, wantsTests } from './tests.ts'
import { type Wanted, wantedIn } from './wanted.ts'
import { type Workspace, write } from './workspace.ts'

export function addFunction(clause: Clause, workspace: Workspace): Doing | null {
  if (
    !/\b(add|create|write|implement|make|generate|define|need|include|build|provide|put)\b/i.test(clause.text)
  )
    return null
  const language = languageFor(clause, workspace)
  const wanted = wantedIn(clause, language)
  if (wanted.length === 0) return null
  const path = pathFor(clause, workspace, language, wanted)

  const fresh = wanted.filter(({ written }) => !isDefined(workspace, path, written.name, language))
  for (const { written, does } of fresh) {
    const file = workspace.files.get(path) ?? ''
    write(
      workspace,
      path,
      withFunction(file, written, language, isCommonJs(workspace, path)),
      `add ${written.name}: ${lower(does)}`,
    )
  }
  workspace.functions.splice(0, Infinity, ...wanted.map(({ written }) => ({ path, name: written.name })))
  const tests = wantsTests(clause.text) ? addTests(clause, workspace) : null
  if (fresh.length === 0 && tests === null) return null
  return {
    steps: [
      ...fresh.map(({ written, does }) => `Add \`${written.name}\` to ${path}: ${lower(does)}`),
      ...(tests?.steps ?? []),
    ],
    said: [...fresh.map(({ written, does }) => `\`${written.name}\` in ${path}: ${does}`), tests?.said ?? '']
      .filter((sentence) => sentence !== '')
      .join(' '),
  }
}

/** What is said, then what the named file is, then what most files are. */
export function languageFor(clause: Clause, workspace: Workspace): Language {
  const named = pathsIn(clause, workspace)
    .map(languageOf)
    .find((language) => language !== undefined)
  const before = workspace.lastPath === undefined ? undefined : languageOf(workspace.lastPath)
  return named ?? spokenLanguage(clause.text) ?? before ?? mainLanguage(workspace.files.keys()) ?? 'js'
}

function pathFor(
  clause: Clause,
  workspace: Workspace,
  language: Language,
  wanted: readonly Wanted[],
): string {
  const fits = (path: string) => languageOf(path) === language && !isTestPath(path)
  const named = pathsIn(clause, workspace).find(fits)
  if (named !== undefined) return named
  if (workspace.lastPath !== undefined && fits(workspace.lastPath)) return workspace.lastPath
  const candidates = [...workspace.files.keys()].filter(fits)
  if (candidates.length === 1) return String(candidates[0])
  const helpers = candidates.find((path) =>
    /(^|\/)(utils?|helpers?|lib|functions|index|main)\.\w+$/.test(path),
  )
  return helpers ?? newPath(wanted[0]?.written.name ?? 'helpers', workspace, language)
}

function newPath(name: string, workspace: Workspace, language: Language): string {
  const inSource = [...workspace.files.keys()].some((path) => path.startsWith('src/'))
  const file = language === 'java' ? 'Main' : language === 'go' ? name.toLowerCase() : name
  return `${inSource ? 'src/' : ''}${file}.${language}`
}

const isDefined = (workspace: Workspace, path: string, name: string, language: Language): boolean =>
  findFunction(workspace.files.get(path) ?? '', name, language) !== undefined

const lower = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)
