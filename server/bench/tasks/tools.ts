// The latency of the tools of a task on a repository of 5,000 files. Text searches are compared with grep on the same folder.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { present } from '../../src/kernel/assert.ts'
import { findOrg } from '../../src/orgs/orgs.ts'
import { prepareDependencies, runCommand, runnableSandboxes } from '../../src/sandbox/sandbox.ts'
import { createSecretMask } from '../../src/tasks/secrets/secret-mask.ts'
import { readToolCall, runTool, type ToolContext } from '../../src/tasks/tools/tools.ts'
import type { OpenWorkspace } from '../../src/tasks/workspace/open-workspace.ts'
import { pathOf } from './many-files.ts'
import { timed } from './repository.ts'
import type { WorkspaceBench } from './workspaces.ts'

/** `grepP50Ms`: of grep, where it can search for the same. */
export type ToolRow = {
  readonly name: string
  readonly p50Ms: number
  readonly p95Ms: number
  readonly grepP50Ms: number | null
}

type ToolCase = {
  readonly name: string
  readonly input: (i: number) => object
  /** The extended regular expression with the same matches. */
  readonly grep?: (i: number) => string
  /** The share of the calls, for slow tools. */
  readonly share?: number
}

const CASES: readonly ToolCase[] = [
  { name: 'list', input: () => ({ path: 'src' }) },
  { name: 'list by pattern', input: () => ({ pattern: '**/*7.ts' }) },
  { name: 'read', input: (i) => ({ path: pathOf(i * 97) }) },
  {
    name: 'search text',
    input: (i) => ({ query: `handler${i * 97}(`, kind: 'text' }),
    grep: (i) => `handler${i * 97}[(]`,
  },
  { name: 'search common text', input: () => ({ query: 'return', kind: 'text' }), grep: () => 'return' },
  {
    name: 'search regex',
    input: (i) => ({ query: `function\\s+handler${i * 97}\\b`, kind: 'regex' }),
    grep: (i) => `function[[:space:]]+handler${i * 97}\\b`,
  },
  {
    name: 'search regex without literals',
    input: () => ({ query: '\\w+7[(]\\w', kind: 'regex' }),
    grep: () => '[[:alnum:]_]+7[(][[:alnum:]_]',
  },
  { name: 'search symbol', input: (i) => ({ query: `handler${i * 97}`, kind: 'symbol' }) },
  {
    name: 'search meaning',
    input: () => ({ query: 'where is the total of an invoice rounded', kind: 'meaning' }),
  },
  {
    name: 'edit',
    input: (i) => ({
      path: pathOf(i * 97),
      edits: [{ find: `handler${i * 97}(items`, replace: `handle${i * 97}(items` }],
    }),
  },
  { name: 'create', input: (i) => ({ path: `src/new/file${i}.ts`, content: 'export const value = 1\n' }) },
  { name: 'run', input: () => ({ command: 'true' }), share: 0.25 },
]

export async function benchTools(
  bench: WorkspaceBench,
  workspace: OpenWorkspace,
  calls: number,
): Promise<ToolRow[]> {
  const context = await createContext(bench, workspace)
  const canRun = (await runnableSandboxes(bench.server.app)).includes('local')
  const rows: ToolRow[] = []
  for (const { name, input, grep, share = 1 } of CASES) {
    const [tool = ''] = name.split(' ')
    if (tool === 'run' && !canRun) continue
    const count = Math.ceil(calls * share)
    const ours = await timesOf(count, (i) => call(context, workspace, tool, input(i)))
    const folder = present(workspace.tree.folder, 'a repository is a folder')
    const bare = grep && (await timesOf(count, (i) => grepIn(folder, grep(i))))
    rows.push({
      name,
      p50Ms: quantile(ours, 0.5),
      p95Ms: quantile(ours, 0.95),
      grepP50Ms: bare ? quantile(bare, 0.5) : null,
    })
  }
  return rows
}

async function createContext(
  { server: { app }, owner: { orgId }, createTask }: WorkspaceBench,
  workspace: OpenWorkspace,
): Promise<ToolContext> {
  const task = await createTask()
  const { signal } = new AbortController()
  const org = present(await app.db.tx(orgId, (tx) => findOrg(tx, orgId)), 'the owner has an organisation')
  const mask = createSecretMask({ nonce: task.nonce, owner: orgId, allowedPaths: new Set() })
  const runInSandbox: ToolContext['runCommand'] = async (command, wallClockMs) => {
    const { tree } = workspace
    const prepared = await prepareDependencies(app, { orgId, tree, signal })
    if (prepared.state !== 'ready') throw new Error(`no dependencies: ${JSON.stringify(prepared)}`)
    const { layer } = prepared
    return runCommand(app, {
      kind: 'local',
      owner: orgId,
      tree,
      layer,
      command,
      signal,
      limits: { wallClockMs },
    })
  }
  return { app, orgId, org, workspace, mask, signal, runCommand: runInSandbox, isApproved: false }
}

async function call(
  context: ToolContext,
  workspace: OpenWorkspace,
  tool: string,
  input: object,
): Promise<void> {
  const read = readToolCall(tool, JSON.stringify(input))
  if ('problem' in read) throw new Error(read.problem)
  const { ok, output, changes } = await runTool(context, read.call)
  if (!ok) throw new Error(`${tool}: ${output}`)
  workspace.apply(changes)
}

const grepIn = (folder: string, pattern: string): Promise<unknown> =>
  promisify(execFile)('grep', ['-rnE', pattern, folder], { maxBuffer: 1 << 30 })

/** In ascending order. The first call is left out: it warms up. */
async function timesOf(count: number, work: (i: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i <= count; i++) times.push(await timed(() => work(i)))
  return times.slice(1).sort((a, b) => a - b)
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
