// What decides whether tests pass, and is not the program: tests, what helps them, configuration of runners and builds, and
// the scripts that a test command runs. A loop that changes it has not shown that the program works.

import { listChangedPaths, type WorkspaceFiles } from '../../run/workspace.ts'
import { type CommandFileRole, findCommandFiles } from './command-files.ts'
import { extractModuleResolution, extractTestConfig, isManifest } from './manifests.ts'
import {
  fileName,
  folderOf,
  isConfiguration,
  isDocument,
  isJudgeName,
  isShellScript,
  isTest,
  shadowsRunner,
} from './test-files.ts'
import { createReferenceFinder, findTestSupport } from './test-support.ts'

/**
 * The paths among the changes that decide about the tests. A new test counts for nothing here, because the others are run
 * without it first; a new configuration does.
 */
export function findDecisiveChanges(
  base: WorkspaceFiles,
  now: WorkspaceFiles,
  testCommand: string,
): string[] {
  const changes = listChangedPaths(base, now)
  if (changes.length === 0) return []
  const judges = findJudges(base, now, testCommand)
  return changes.filter(
    (path) =>
      isTestOrConfiguration(path, base, now) || (base.has(path) || !isTest(path) ? judges.has(path) : false),
  )
}

/** Tests among the files that were not there before. */
export const findAddedTests = (base: WorkspaceFiles, now: WorkspaceFiles): string[] =>
  listChangedPaths(base, now).filter((path) => !base.has(path) && isTest(path))

/**
 * The workspace without the tests that were added, so that the others show what they are worth alone. Those stay that the
 * command asks for by name or that the program uses, and all of them where there are no others.
 */
export function removeAddedTests(
  base: WorkspaceFiles,
  now: WorkspaceFiles,
  testCommand: string,
): WorkspaceFiles {
  const added = new Set(findAddedTests(base, now))
  if (added.size === 0 || ![...base.keys()].some(isTest)) return now
  for (const path of findCommandFiles(testCommand, now).keys()) added.delete(path)
  const referencesOf = createReferenceFinder(now)
  for (const path of listChangedPaths(base, now))
    if (!isTest(path)) for (const used of referencesOf(path)) added.delete(used)
  return added.size === 0 ? now : new Map([...now].filter(([path]) => !added.has(path)))
}

/** By its name or its contents alone, whatever the command is. */
function isTestOrConfiguration(path: string, base: WorkspaceFiles, now: WorkspaceFiles): boolean {
  const [before, after] = [base.get(path), now.get(path)]
  if (before !== undefined && isTest(path)) return true
  if (isConfiguration(path)) return true
  if (isManifest(path) && extractTestConfig(path, before) !== extractTestConfig(path, after)) return true
  if (before !== undefined) return false
  return (
    redirectsModules(path, base, after) || shadowsRunner(path, (folder) => base.has(`${folder}/__init__.py`))
  )
}

/** A package that is made of files that were there changes where their modules are found. */
const redirectsModules = (path: string, base: WorkspaceFiles, after: string | undefined): boolean =>
  path.endsWith('/package.json') &&
  extractModuleResolution(after) !== extractModuleResolution(undefined) &&
  [...base.keys()].some((other) => other.startsWith(`${folderOf(path)}/`))

/** What says whether all is well without being a test: scripts of the command, and files that only tests use. */
function findJudges(base: WorkspaceFiles, now: WorkspaceFiles, testCommand: string): Set<string> {
  const named = findCommandFiles(testCommand, new Map([...now, ...base]))
  const scripts = [...named].filter(([path, role]) =>
    isJudgeScript(path, role, base.get(path) ?? now.get(path)),
  )
  const support = findTestSupport(base)
  const possible = new Set([...scripts.map(([path]) => path), ...support])
  // Where there is nothing else to repair, they are what is to be repaired, except a judge that nobody judges.
  if ([...base.keys()].some((path) => !possible.has(path) && isProgram(path))) return possible
  return new Set(scripts.filter(([path, { isRead }]) => isJudge(path) && !isRead).map(([path]) => path))
}

/** A program that a command names is what is tested. A script is its judge when it is named so, or has the last word. */
const isJudgeScript = (path: string, role: CommandFileRole, text: string | undefined): boolean =>
  role.isPreloaded || isJudge(path) || (isShellScript(path, text) && role.isVerdict && !role.isRead)

const isJudge = (path: string): boolean => isTest(path) || isJudgeName(path)

const isProgram = (path: string): boolean =>
  !isTest(path) && !isConfiguration(path) && !isDocument(path) && !isManifest(fileName(path))
