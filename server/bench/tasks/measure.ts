// Measures tasks: turns, uploads, tools, repositories and dependencies.
import { present } from '../../src/kernel/assert.ts'
import { openWorkspace } from '../../src/tasks/workspace/open-workspace.ts'
import type { BenchEnvironment } from '../environment.ts'
import { benchPrepare } from './prepare.ts'
import { benchRepository, type Timing } from './repository.ts'
import { benchTools, type ToolRow } from './tools.ts'
import { benchTurns, type TurnRow } from './turns.ts'
import { benchUploads, type UploadFigures } from './uploads.ts'
import { type WorkspaceBench, withWorkspaces } from './workspaces.ts'
import { withTaskBench } from './world.ts'

export type TasksReport = {
  readonly turns: readonly TurnRow[]
  readonly uploads: UploadFigures
  readonly tools: readonly ToolRow[]
  readonly workspaces: readonly Timing[]
}

type TasksBench = {
  readonly environment: BenchEnvironment
  readonly isQuick: boolean
  /** Of the process of the service, such as those of a profile. */
  readonly flags: string[]
}

export async function measureTasks({ environment, isQuick, flags }: TasksBench): Promise<TasksReport> {
  const turns = await withTaskBench(environment, flags, async (bench) => {
    process.stderr.write('measuring tasks: turns …\n')
    const rows = await benchTurns(bench, isQuick)
    process.stderr.write('measuring tasks: uploads …\n')
    return { turns: rows, uploads: await benchUploads(bench, isQuick ? 5 : 20) }
  })
  const url = present(environment.variables.DATABASE_URL, 'the environment has a database')
  return { ...turns, ...(await withWorkspaces(url, (bench) => measureWorkspaces(bench, isQuick))) }
}

async function measureWorkspaces(bench: WorkspaceBench, isQuick: boolean) {
  const rounds = isQuick ? 1 : 3
  process.stderr.write('measuring tasks: repositories …\n')
  const opened = await benchRepository(bench, rounds)
  const { signal } = new AbortController()
  const workspace = await openWorkspace(bench.server.app, await bench.createTask(), signal)
  try {
    process.stderr.write('measuring tasks: dependencies …\n')
    const prepared = await benchPrepare(bench, workspace.tree, rounds)
    process.stderr.write('measuring tasks: tools …\n')
    const tools = await benchTools(bench, workspace, isQuick ? 8 : 30)
    return { tools, workspaces: [...opened, ...prepared] }
  } finally {
    workspace.close()
  }
}

export function tasksText(
  { turns, uploads, tools, workspaces }: TasksReport,
  table: (rows: string[][]) => string,
): string {
  const { uploadedBytes, compressedBytes, conversationBytes, filesBytes } = uploads
  return [
    table([
      ['turns, per model call', 'wall ms', '/v1', 'ratio', 'model', 'CPU ms', '/v1', 'ratio'],
      ...turns.map(({ name, turn, v1, modelMs }) => [
        name,
        ms(turn.wallMs),
        ms(v1.wallMs),
        (turn.wallMs / v1.wallMs).toFixed(2),
        ms(modelMs),
        ms(turn.cpuMs),
        ms(v1.cpuMs),
        (turn.cpuMs / v1.cpuMs).toFixed(2),
      ]),
    ]),
    table([
      [`client workspace, ${uploads.turns} turns`, 'bytes per turn', 'times'],
      ...[
        ['uploaded', uploadedBytes] as const,
        ['uploaded with gzip', compressedBytes] as const,
        ['if each model call sent the conversation', conversationBytes] as const,
        ['if each turn sent 5,000 files', filesBytes] as const,
      ].map(([name, bytes]) => [name, String(bytes), (bytes / uploadedBytes).toFixed(1)]),
    ]),
    table([
      ['tool on 5,000 files', 'p50 ms', 'p95 ms', 'grep p50 ms'],
      ...tools.map(({ name, p50Ms, p95Ms, grepP50Ms }) => [
        name,
        ms(p50Ms),
        ms(p95Ms),
        grepP50Ms === null ? '' : ms(grepP50Ms),
      ]),
    ]),
    table([['5,000 files', 'ms'], ...workspaces.map(({ name, ms: took }) => [name, ms(took)])]),
  ].join('\n\n')
}

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0)
