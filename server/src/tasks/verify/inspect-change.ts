// Inspects the change of a turn before anything runs: whether it touches the tests or could fake their result, and which
// trees show that the original tests and the new ones judge the program.
import {
  findCopiedValues,
  findDecisiveChanges,
  findSeparableTests,
  findTampering,
  isDocument,
  isManifest,
  isPossibleSupport,
  isTest,
  splitInlineTests,
} from '../../agent/agent.ts'
import type { SandboxTree } from '../../sandbox/sandbox.ts'
import { hasAssertion } from './new-tests.ts'
import { openTree, ProjectTexts, type TreeFiles, withTexts } from './tree-files.ts'

export type ChangeInspection = {
  /** The paths that really differ. */
  readonly changes: readonly string[]
  /** Changed files that decide about the tests. */
  readonly decisive: readonly string[]
  /** Why a passing run proves nothing; null if it does. */
  readonly tampering: string | null
  /** The same if the runner imports the program instead of starting it. */
  readonly tamperingIfImported: string | null
  /** Where the program knows values of the tests; null if it does not. */
  readonly copiedValues: string | null
  /** The files after the turn with the original tests; null: no test was touched. */
  readonly withOriginalTests: SandboxTree | null
  /** The files before the turn with the new tests; null: there are none. */
  readonly oldProgram: SandboxTree | null
  /** New tests cannot be taken out of the run, or there were none before: a failure before shows nothing. */
  readonly needsNewTests: boolean
  readonly changesProgram: boolean
  readonly changesDependencies: boolean
  /** The new tests compare something. */
  readonly hasAssertion: boolean
  readonly testFiles: number
}

/** Plain data, as it goes to a worker thread. */
export type ChangeInput = {
  readonly before: SandboxTree
  readonly after: SandboxTree
  readonly changedPaths: readonly string[]
  readonly command: string
  readonly request: string
}

export async function inspectChange({
  before,
  after,
  changedPaths,
  command,
  request,
}: ChangeInput): Promise<ChangeInspection> {
  const folders = new Map<string, Promise<readonly string[]>>()
  const [old, fresh] = await Promise.all([openTree(before, folders), openTree(after, folders)])
  const changes = await findRealChanges(old, fresh, [...changedPaths, ...listOverlays(before, after)])
  const [base, now] = [new ProjectTexts(old), new ProjectTexts(fresh)]
  const check = <T>(compute: () => T) => withTexts([base, now], compute)
  const decisive = await check(() => findDecisiveChanges(base, now, command, { changes, mayAddTests: true }))
  const separable = await check(() => findSeparableTests(base, now, command, changes))
  const parts = await check(() => changes.map((path) => splitChange(path, base.get(path), now.get(path))))
  const written = parts.flatMap(({ newTests }) => newTests).join('\n')
  const trees = await buildTrees({ before, after, old, fresh, parts, separable })
  return {
    changes,
    decisive: base.isOverLimit ? [...new Set([...decisive, ...changes.filter(isPossibleSupport)])] : decisive,
    tampering: await check(() => findTampering(base, now, { changes })),
    tamperingIfImported: await check(() => findTampering(base, now, { changes, isImported: true })),
    copiedValues: await check(() => findCopiedValues(base, now, { changes, request })),
    ...trees,
    needsNewTests: parts.some(({ path, isAddedTest }) => isAddedTest && !separable.has(path)),
    changesProgram: parts.some(({ changesProgram }) => changesProgram),
    changesDependencies: changes.some(isManifest),
    hasAssertion: hasAssertion(written),
    testFiles: [...fresh.paths].filter(isTest).length,
  }
}

/** All paths that can differ between trees of the same folder. */
const listOverlays = (before: SandboxTree, after: SandboxTree): string[] =>
  [before, after]
    .flatMap(({ files, deleted }) => [...files.keys(), ...deleted])
    .filter(
      (path) =>
        before.files.get(path) !== after.files.get(path) ||
        before.deleted.has(path) !== after.deleted.has(path),
    )

/** Compares contents: an edit may have been undone. */
async function findRealChanges(
  old: TreeFiles,
  fresh: TreeFiles,
  paths: readonly string[],
): Promise<string[]> {
  const changes: string[] = []
  for (const path of new Set(paths)) {
    const [before, after] = await Promise.all([old.read(path), fresh.read(path)])
    const isEqual = before === null || after === null ? before === after : before.equals(after)
    if (!isEqual || old.paths.has(path) !== fresh.paths.has(path)) changes.push(path)
  }
  return changes.sort()
}

type ChangePart = {
  readonly path: string
  readonly isAddedTest: boolean
  readonly changesProgram: boolean
  /** Text of tests that is new. */
  readonly newTests: readonly string[]
  /** The program of one version with the tests of the other, for files that have both; null otherwise. */
  readonly mixed: { readonly withOriginalTests: string; readonly oldProgram: string } | null
}

function splitChange(path: string, before: string | undefined, after: string | undefined): ChangePart {
  const part = { path, isAddedTest: false, changesProgram: false, newTests: [], mixed: null }
  if (isTest(path))
    return {
      ...part,
      isAddedTest: before === undefined && after !== undefined,
      newTests: addedLines(before ?? '', after ?? ''),
    }
  const [old, fresh] = [splitInlineTests(path, before ?? ''), splitInlineTests(path, after ?? '')]
  const changesProgram = !isDocument(path) && (old.program !== fresh.program || before === undefined)
  if (before === undefined || after === undefined || old.tests === fresh.tests)
    return { ...part, changesProgram, newTests: before === undefined ? addedLines('', fresh.tests) : [] }
  return {
    ...part,
    changesProgram,
    newTests: addedLines(old.tests, fresh.tests),
    mixed: {
      withOriginalTests: fresh.program + old.tests,
      oldProgram: old.program + fresh.tests,
    },
  }
}

function addedLines(before: string, after: string): string[] {
  const known = new Set(before.split('\n'))
  return after.split('\n').filter((line) => !known.has(line))
}

type TreeParts = {
  readonly before: SandboxTree
  readonly after: SandboxTree
  readonly old: TreeFiles
  readonly fresh: TreeFiles
  readonly parts: readonly ChangePart[]
  readonly separable: ReadonlySet<string>
}

async function buildTrees({ before, after, old, fresh, parts, separable }: TreeParts) {
  const original = new TreeEdit(after)
  const oldProgram = new TreeEdit(before)
  for (const { path, mixed } of parts) {
    if (mixed !== null) {
      original.set(path, Buffer.from(mixed.withOriginalTests))
      oldProgram.set(path, Buffer.from(mixed.oldProgram))
    } else if (isTest(path)) {
      if (old.paths.has(path) || separable.has(path)) original.set(path, await old.read(path))
      if (fresh.paths.has(path)) oldProgram.set(path, await fresh.read(path))
    }
  }
  return { withOriginalTests: original.tree(), oldProgram: oldProgram.tree() }
}

/** A tree with other contents for some paths. */
class TreeEdit {
  readonly #folder: string | null
  readonly #files: Map<string, string | Uint8Array>
  readonly #deleted: Set<string>
  #isEdited = false

  constructor({ folder, files, deleted }: SandboxTree) {
    this.#folder = folder
    this.#files = new Map(files)
    this.#deleted = new Set(deleted)
  }

  /** Null removes the path. */
  set(path: string, content: Uint8Array | null): void {
    this.#isEdited = true
    if (content === null) this.#files.delete(path)
    else this.#files.set(path, content)
    if (content === null && this.#folder !== null) this.#deleted.add(path)
    else this.#deleted.delete(path)
  }

  /** Null if nothing was edited. */
  tree(): SandboxTree | null {
    return this.#isEdited ? { folder: this.#folder, files: this.#files, deleted: this.#deleted } : null
  }
}
