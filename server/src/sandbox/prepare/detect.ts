// Finds out which package managers a project uses, and computes what makes a layer of dependencies unique.
import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'
import type { SandboxTree } from '../sandbox-tree.ts'
import { describePrograms } from './programs.ts'
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
  /**
   * The installation sees all other files empty. So nothing outside the hash can change a layer, and no edit of the
   * program can spoil the layer of other projects with the same lockfile.
   */
  readonly isReadable: (path: string) => boolean
}

const PROJECTS_MAX = 8
/** Projects are looked for in the root and in two levels of folders. */
const PROJECT_DEPTH_MAX = 2
const INPUTS_MAX = 50_000
/** Changes when the same inputs give other layers. */
const FORMAT = 2

/** The installation that is needed before the tests of this tree can run; null if nothing. */
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
  const needSources = await Promise.all(
    steps.map(({ tool, project }) => tool.needsSources?.(project) ?? false),
  )
  return {
    steps,
    tool: [...new Set(steps.map(({ tool }) => tool.name))].join('+'),
    lockfiles: lockfiles.sort(),
    ...(await hashInputs(tree, steps, needSources.includes(true) ? null : paths)),
  }
}

/** Runs one command instead of the detected ones, with their variables and folders, or with those of all tools. */
export async function planCommand(
  tree: SandboxTree,
  command: string,
  detected: PreparePlan | null,
): Promise<PreparePlan> {
  const tools = detected?.steps.map(({ tool }) => tool) ?? PREPARE_TOOLS
  const project = { folder: '', names: new Set<string>(), read: async () => null }
  // All tools contribute their variables; only the first step has a command.
  const steps = tools.map((tool, i) => ({
    tool: { ...tool, programs: ['sh'] },
    project,
    command: i === 0 ? command : 'true',
  }))
  return {
    steps,
    tool: detected?.tool ?? 'command',
    lockfiles: detected?.lockfiles ?? [],
    ...(await hashInputs(tree, steps, null)),
  }
}

const isWatchedBy = (tool: PrepareTool, path: string): boolean =>
  tool.lockfiles.test(basename(path)) || tool.manifests.test(path)

const isWatched = (path: string): boolean =>
  PREPARE_TOOLS.some((tool) => isWatchedBy(tool, path)) || path === 'vendor/modules.txt'

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

/** `watched`: null if every file of the project counts. */
async function hashInputs(
  tree: SandboxTree,
  steps: readonly PrepareStep[],
  watched: readonly string[] | null,
): Promise<Pick<PreparePlan, 'inputs' | 'isReadable'>> {
  const hash = createHash('sha256')
  const add = (...words: readonly (string | Buffer)[]) => {
    for (const word of words) hash.update(`${word.length}:`).update(word)
  }
  const tools = steps.map(({ tool }) => tool)
  const paths =
    watched?.filter((path) => tools.some((tool) => isWatchedBy(tool, path))) ??
    (await findTreeFiles(tree, () => true))
  // Compiled packages depend on the runtime and the processor.
  add(String(FORMAT), process.version, process.arch, await describePrograms(tools))
  for (const { tool, project, command } of steps) add(tool.name, project.folder, command)
  const hashed = new Set<string>()
  for (const path of paths.slice(0, INPUTS_MAX)) {
    const content = await readTreeFile(tree, path)
    if (content === null) continue
    add(path, content)
    hashed.add(path)
  }
  const isCompiled = (path: string) => tools.some((tool) => tool.compiledFiles?.test(path))
  return { inputs: hash.digest('hex'), isReadable: (path) => hashed.has(path) || isCompiled(path) }
}
