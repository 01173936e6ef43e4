// Finds out which package managers a project uses, and computes what makes a layer of dependencies unique.
import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'
import type { SandboxTree } from '../sandbox-tree.ts'
import { COMPILED_TOOLS } from './tools/compiled.ts'
import { JAVASCRIPT_TOOLS } from './tools/javascript.ts'
import { PYTHON_TOOLS } from './tools/python.ts'
import type { PrepareTool, ProjectFolder } from './tools/tool.ts'
import { findTreeFiles, readTreeFile } from './tree-files.ts'

export const PREPARE_TOOLS: readonly PrepareTool[] = [...JAVASCRIPT_TOOLS, ...PYTHON_TOOLS, ...COMPILED_TOOLS]

export type PrepareStep = {
  readonly tool: PrepareTool
  readonly project: ProjectFolder
  readonly command: string
}

export type PreparePlan = {
  readonly steps: readonly PrepareStep[]
  /** The names of the tools, such as `npm` or `npm+pip`. */
  readonly tool: string
  readonly lockfiles: readonly string[]
  /** A hash of everything that decides what is installed. */
  readonly inputs: string
}

const PROJECTS_MAX = 8
/** Projects are looked for in the root and in two levels of folders. */
const PROJECT_DEPTH_MAX = 2
const WATCHED_FILES_MAX = 2_000
/** Changes when the same inputs give other layers. */
const FORMAT = 1

/** What must be installed before the tests of this tree can run; null if nothing. */
export async function detectPrepare(tree: SandboxTree): Promise<PreparePlan | null> {
  const paths = await findTreeFiles(tree, isWatched)
  const steps: PrepareStep[] = []
  const lockfiles: string[] = []
  for (const project of listProjects(tree, paths)) {
    for (const tool of await chooseTools(project, steps)) {
      if (steps.length >= PROJECTS_MAX) break
      steps.push({ tool, project, command: await tool.command(project) })
      lockfiles.push(...[...project.names].filter((name) => tool.lockfiles.test(name)).map(inFolder(project)))
    }
  }
  if (steps.length === 0) return null
  const watched = paths.filter((path) => steps.some(({ tool }) => isWatchedBy(tool, path)))
  return {
    steps,
    tool: [...new Set(steps.map(({ tool }) => tool.name))].join('+'),
    lockfiles: lockfiles.sort(),
    inputs: await hashInputs(tree, steps, watched.slice(0, WATCHED_FILES_MAX)),
  }
}

/** Runs one command instead of the detected ones, with their variables and folders, or with those of all tools. */
export function planCommand(command: string, detected: PreparePlan | null): PreparePlan {
  const tools = detected?.steps.map(({ tool }) => tool) ?? PREPARE_TOOLS
  const project = { folder: '', names: new Set<string>(), read: async () => null }
  const [first, ...others] = tools
  const hash = createHash('sha256').update(`${detected?.inputs}\n${command}`)
  return {
    // All tools contribute their variables; only the first step has a command.
    steps: [
      ...(first === undefined ? [] : [{ tool: { ...first, programs: ['sh'] }, project, command }]),
      ...others.map((tool) => ({ tool: { ...tool, programs: ['sh'] }, project, command: 'true' })),
    ],
    tool: detected?.tool ?? 'command',
    lockfiles: detected?.lockfiles ?? [],
    inputs: hash.digest('hex'),
  }
}

const isWatchedBy = (tool: PrepareTool, path: string): boolean =>
  tool.lockfiles.test(basename(path)) || tool.manifests.test(path)

const isWatched = (path: string): boolean =>
  PREPARE_TOOLS.some((tool) => isWatchedBy(tool, path)) ||
  path === 'vendor/modules.txt' ||
  /(^|\/)gradlew$/.test(path)

const inFolder =
  ({ folder }: ProjectFolder) =>
  (name: string): string =>
    folder === '' ? name : `${folder}/${name}`

/** The root first, then others by path. */
function listProjects(tree: SandboxTree, paths: readonly string[]): ProjectFolder[] {
  const namesByFolder = new Map<string, Set<string>>()
  for (const path of paths) {
    const folder = dirname(path) === '.' ? '' : dirname(path)
    if (folder.split('/').length > PROJECT_DEPTH_MAX) continue
    const names = namesByFolder.get(folder) ?? new Set()
    namesByFolder.set(folder, names.add(basename(path)))
  }
  if (paths.includes('vendor/modules.txt')) namesByFolder.get('')?.add('vendor')
  return [...namesByFolder]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, names]) => ({
      folder,
      names,
      read: async (name) =>
        (await readTreeFile(tree, folder === '' ? name : `${folder}/${name}`))?.toString() ?? null,
    }))
}

/** One tool of each kind. A folder inside a project of the same kind belongs to that project. */
async function chooseTools(project: ProjectFolder, steps: readonly PrepareStep[]): Promise<PrepareTool[]> {
  const chosen: PrepareTool[] = []
  const isTaken = ({ kind }: PrepareTool) =>
    chosen.some((tool) => tool.kind === kind) ||
    steps.some(
      ({ tool, project: { folder } }) =>
        tool.kind === kind && `${project.folder}/`.startsWith(folder && `${folder}/`),
    )
  for (const tool of PREPARE_TOOLS) {
    if (isTaken(tool) || ![...project.names].some((name) => tool.lockfiles.test(name))) continue
    if ((await tool.isNeeded?.(project)) ?? true) chosen.push(tool)
  }
  return chosen
}

async function hashInputs(
  tree: SandboxTree,
  steps: readonly PrepareStep[],
  paths: readonly string[],
): Promise<string> {
  const hash = createHash('sha256')
  const add = (...words: readonly (string | Buffer)[]) => {
    for (const word of words) hash.update(`${word.length}:`).update(word)
  }
  // Compiled packages depend on the runtime and the processor.
  add(String(FORMAT), process.version, process.arch)
  for (const { tool, project, command } of steps) add(tool.name, project.folder, command)
  for (const path of paths) add(path, (await readTreeFile(tree, path)) ?? '')
  return hash.digest('hex')
}
