// Files that decide whether tests pass but are not the program: tests, helpers, configuration of runners and builds,
// and scripts of the test command. A loop that changes them has not proved that the program works.

import type { WorkspaceFiles } from '../../run/workspace.ts'
import { type CommandFileRole, findCommandFiles } from './command-files.ts'
import { changesTestConfig, extractModuleResolution, isManifest } from './manifests.ts'
import { joinFiles, listChanges, type ProjectFiles } from './project-files.ts'
import { definesAssertion, importsRunner } from './tamper-patterns.ts'
import { changesInlineTests, onlyAddsTests } from './test-edits.ts'
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

export type DecisiveOptions = {
  /** All paths that differ; found by comparison if not given. */
  readonly changes?: readonly string[]
  /** Existing test files may gain tests. The caller runs the original ones first. */
  readonly mayAddTests?: boolean
}

/**
 * The changed paths that decide about the tests. New tests do not count, because the existing ones run without them
 * first; new configuration does.
 */
export function findDecisiveChanges(
  base: ProjectFiles,
  now: ProjectFiles,
  testCommand: string,
  { changes = listChanges(base, now), mayAddTests = false }: DecisiveOptions = {},
): string[] {
  if (changes.length === 0) return []
  const project = { base, now, testCommand }
  const judges = findJudges(project, changes)
  return changes.filter((path) => {
    if (isConfigurationChange(path, project)) return true
    if (!isTest(path)) return judges.has(path)
    return base.has(path) && !(mayAddTests && onlyAdds(path, project))
  })
}

/** Test files that did not exist before. */
export const findAddedTests = (
  base: ProjectFiles,
  now: ProjectFiles,
  changes: readonly string[] = listChanges(base, now),
): string[] => changes.filter((path) => !base.has(path) && isTest(path))

/**
 * The added tests that the existing ones can be judged without. Tests that the command names or the program uses are not
 * among them; if there were no tests before, there are none.
 */
export function findSeparableTests(
  base: ProjectFiles,
  now: ProjectFiles,
  testCommand: string,
  changes: readonly string[] = listChanges(base, now),
): Set<string> {
  const added = new Set(findAddedTests(base, now, changes))
  if (added.size === 0 || ![...base.keys()].some(isTest)) return new Set()
  for (const path of findCommandFiles(testCommand, now).keys()) added.delete(path)
  const referencesOf = createReferenceFinder(now)
  for (const path of changes)
    if (!isTest(path) && now.has(path)) for (const used of referencesOf(path)) added.delete(used)
  return added
}

/** The files without added tests, so that the existing tests are judged alone. */
export function removeAddedTests(
  base: WorkspaceFiles,
  now: WorkspaceFiles,
  testCommand: string,
): WorkspaceFiles {
  const added = findSeparableTests(base, now, testCommand)
  return added.size === 0 ? now : new Map([...now].filter(([path]) => !added.has(path)))
}

type ChangedProject = {
  readonly base: ProjectFiles
  readonly now: ProjectFiles
  readonly testCommand: string
}

function onlyAdds(path: string, { base, now }: ChangedProject): boolean {
  const [before, after] = [base.get(path), now.get(path)]
  return before !== undefined && after !== undefined && onlyAddsTests(before, after)
}

/** Decides by name and contents. */
function isConfigurationChange(path: string, { base, now, testCommand }: ChangedProject): boolean {
  const [before, after] = [base.get(path), now.get(path)]
  if (isConfiguration(path)) return true
  if (isManifest(path) && changesTestConfig(path, before, after, testCommand)) return true
  if (before !== undefined)
    return (
      (!isTest(path) && !isDocument(path) && (importsRunner(before) || definesAssertion(before))) ||
      (after !== undefined && changesInlineTests(path, before, after))
    )
  return (
    redirectsModules(path, base, after) || shadowsRunner(path, (folder) => base.has(`${folder}/__init__.py`))
  )
}

/** A new package.json above existing files changes how their modules are resolved. */
const redirectsModules = (path: string, base: ProjectFiles, after: string | undefined): boolean =>
  path.endsWith('/package.json') &&
  extractModuleResolution(after) !== extractModuleResolution(undefined) &&
  [...base.keys()].some((other) => other.startsWith(`${folderOf(path)}/`))

/** Files that judge the result without being tests: scripts of the command, and files that only tests use. */
function findJudges({ base, now, testCommand }: ChangedProject, changes: readonly string[]): Set<string> {
  const named = findCommandFiles(testCommand, joinFiles(base, now))
  const scripts = [...named].filter(([path, role]) =>
    isJudgeScript(path, role, base.get(path) ?? now.get(path)),
  )
  const support = findTestSupport(base, changes)
  const possible = new Set([...scripts.map(([path]) => path), ...support])
  // If there is no other program file, these files are the program, except a judge whose output nothing checks.
  if ([...base.keys()].some((path) => !possible.has(path) && isProgram(path))) return possible
  return new Set(scripts.filter(([path, { isRead }]) => isJudge(path) && !isRead).map(([path]) => path))
}

/**
 * A program named by the command is under test. A script is a judge if it is named like one, or if its exit code decides
 * and it is a shell script or starts tests.
 */
const isJudgeScript = (path: string, role: CommandFileRole, text: string | undefined): boolean =>
  role.isPreloaded ||
  isJudge(path) ||
  (role.isVerdict && !role.isRead && (isShellScript(path, text) || namesTests(text ?? '')))

/** A program that starts the tests decides about them. */
const namesTests = (text: string): boolean =>
  /['"`](?:[^'"`\n]{0,200}\/)?(?:tests?\/|[^'"`\n/]{1,100}[._](?:test|spec)\.|test_[^'"`\n]{1,100}\.py)|['"`\s](?:unittest|pytest|node:test|--test|mocha|jest|vitest)['"`\s]/.test(
    text.slice(0, 100_000),
  )

const isJudge = (path: string): boolean => isTest(path) || isJudgeName(path)

const isProgram = (path: string): boolean =>
  !isTest(path) && !isConfiguration(path) && !isDocument(path) && !isManifest(fileName(path))
