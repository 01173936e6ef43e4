// Files that decide whether tests pass but are not the program: tests, helpers, configuration of runners and builds,
// and scripts of the test command. A loop that changes them has not proved that the program works.

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
 * The changed paths that decide about the tests. New tests do not count, because the existing ones run without them
 * first; new configuration does.
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

/** Test files that did not exist before. */
export const findAddedTests = (base: WorkspaceFiles, now: WorkspaceFiles): string[] =>
  listChangedPaths(base, now).filter((path) => !base.has(path) && isTest(path))

/**
 * The workspace without added tests, so that the existing tests are judged alone. Tests that the command names or the
 * program uses stay; if there were no tests before, all stay.
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

/** Decides by name and contents, independent of the command. */
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

/** A new package.json above existing files changes how their modules are resolved. */
const redirectsModules = (path: string, base: WorkspaceFiles, after: string | undefined): boolean =>
  path.endsWith('/package.json') &&
  extractModuleResolution(after) !== extractModuleResolution(undefined) &&
  [...base.keys()].some((other) => other.startsWith(`${folderOf(path)}/`))

/** Files that judge the result without being tests: scripts of the command, and files that only tests use. */
function findJudges(base: WorkspaceFiles, now: WorkspaceFiles, testCommand: string): Set<string> {
  const named = findCommandFiles(testCommand, new Map([...now, ...base]))
  const scripts = [...named].filter(([path, role]) =>
    isJudgeScript(path, role, base.get(path) ?? now.get(path)),
  )
  const support = findTestSupport(base)
  const possible = new Set([...scripts.map(([path]) => path), ...support])
  // If there is no other program file, these files are the program, except a judge whose output nothing checks.
  if ([...base.keys()].some((path) => !possible.has(path) && isProgram(path))) return possible
  return new Set(scripts.filter(([path, { isRead }]) => isJudge(path) && !isRead).map(([path]) => path))
}

/**
 * A program named by the command is under test. A script is a judge if it is named like one or if its exit code decides.
 */
const isJudgeScript = (path: string, role: CommandFileRole, text: string | undefined): boolean =>
  role.isPreloaded || isJudge(path) || (isShellScript(path, text) && role.isVerdict && !role.isRead)

const isJudge = (path: string): boolean => isTest(path) || isJudgeName(path)

const isProgram = (path: string): boolean =>
  !isTest(path) && !isConfiguration(path) && !isDocument(path) && !isManifest(fileName(path))
