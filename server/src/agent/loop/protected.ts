// What decides whether tests pass, and is not the program: tests, what helps them, configuration of runners and builds, and
// the scripts that a test command runs. A loop that changes it has not shown that the program works.
import { filesOfCommand, type Role } from './command-files.ts'
import { isManifest, resolutionOf, testPartsOf } from './manifests.ts'
import {
  folderOf,
  isConfiguration,
  isJudgeName,
  isPaper,
  isShellScript,
  isTest,
  nameOf,
  shadowsRunner,
} from './test-files.ts'
import { referencesIn, testSupport } from './test-support.ts'
import { changedPaths, type Workspace } from './workspace.ts'

/**
 * The paths among the changes that decide about the tests. A new test counts for nothing here, because the others are run
 * without it first; a new configuration does.
 */
export function decisiveChanges(base: Workspace, now: Workspace, testCommand: string): string[] {
  const changes = changedPaths(base, now)
  if (changes.length === 0) return []
  const judges = judgesOf(base, now, testCommand)
  return changes.filter(
    (path) => isOfTests(path, base, now) || (base.has(path) || !isTest(path) ? judges.has(path) : false),
  )
}

/** Tests among the files that were not there before. */
export const addedTests = (base: Workspace, now: Workspace): string[] =>
  changedPaths(base, now).filter((path) => !base.has(path) && isTest(path))

/**
 * The workspace without the tests that were added, so that the others show what they are worth alone. Those stay that the
 * command asks for by name or that the program uses, and all of them where there are no others.
 */
export function withoutAddedTests(base: Workspace, now: Workspace, testCommand: string): Workspace {
  const added = new Set(addedTests(base, now))
  if (added.size === 0 || ![...base.keys()].some(isTest)) return now
  for (const path of filesOfCommand(testCommand, now).keys()) added.delete(path)
  const referencesOf = referencesIn(now)
  for (const path of changedPaths(base, now))
    if (!isTest(path)) for (const used of referencesOf(path)) added.delete(used)
  return added.size === 0 ? now : new Map([...now].filter(([path]) => !added.has(path)))
}

/** By its name or its contents alone, whatever the command is. */
function isOfTests(path: string, base: Workspace, now: Workspace): boolean {
  const [before, after] = [base.get(path), now.get(path)]
  if (before !== undefined && isTest(path)) return true
  if (isConfiguration(path)) return true
  if (isManifest(path) && testPartsOf(path, before) !== testPartsOf(path, after)) return true
  if (before !== undefined) return false
  return (
    redirectsModules(path, base, after) || shadowsRunner(path, (folder) => base.has(`${folder}/__init__.py`))
  )
}

/** A package that is made of files that were there changes where their modules are found. */
const redirectsModules = (path: string, base: Workspace, after: string | undefined): boolean =>
  path.endsWith('/package.json') &&
  resolutionOf(after) !== resolutionOf(undefined) &&
  [...base.keys()].some((other) => other.startsWith(`${folderOf(path)}/`))

/** What says whether all is well without being a test: scripts of the command, and files that only tests use. */
function judgesOf(base: Workspace, now: Workspace, testCommand: string): Set<string> {
  const named = filesOfCommand(testCommand, new Map([...now, ...base]))
  const scripts = [...named].filter(([path, role]) => isScript(path, role, base.get(path) ?? now.get(path)))
  const support = testSupport(base)
  const possible = new Set([...scripts.map(([path]) => path), ...support])
  // Where there is nothing else to repair, they are what is to be repaired, except a judge that nobody judges.
  if ([...base.keys()].some((path) => !possible.has(path) && isProgram(path))) return possible
  return new Set(scripts.filter(([path, { isRead }]) => isJudge(path) && !isRead).map(([path]) => path))
}

/** A program that a command names is what is tested. A script is its judge when it is named so, or has the last word. */
const isScript = (path: string, role: Role, text: string | undefined): boolean =>
  role.isPreloaded || isJudge(path) || (isShellScript(path, text) && role.isVerdict && !role.isRead)

const isJudge = (path: string): boolean => isTest(path) || isJudgeName(path)

const isProgram = (path: string): boolean =>
  !isTest(path) && !isConfiguration(path) && !isPaper(path) && !isManifest(nameOf(path))
