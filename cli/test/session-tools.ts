// A small toolbox on a real folder, for tests of sessions: files, and a command that leaves a trace of each run.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Assessment, ClientTool, Toolbox, ToolCall, ToolReport } from '../src/session/types.ts'

export type TestToolbox = Toolbox & {
  /** Calls in the order of their start and end: `+call_1_2`, `-call_1_2`. */
  readonly trace: string[]
  definitions: ClientTool[]
  text: string | null
}

export type ToolHooks = {
  assess?: (call: ToolCall) => Assessment
  /** Runs inside of a call. */
  during?: (call: ToolCall, signal: AbortSignal) => Promise<void>
}

const READ_ONLY = ['list', 'read', 'search']
const NAMES = [...READ_ONLY, 'edit', 'create', 'delete', 'run']

export function createTestToolbox(root: string, { assess, during }: ToolHooks = {}): TestToolbox {
  const trace: string[] = []
  const definitions: ClientTool[] = []
  const text: string | null = null
  const toolbox: TestToolbox = {
    trace,
    definitions,
    text,
    get names() {
      return [...NAMES, ...toolbox.definitions.map(({ name }) => name)]
    },
    isReadOnly: (tool) => READ_ONLY.includes(tool),
    assess: async (call) => assess?.(call) ?? { kind: 'free' },
    async run(call, { signal, onOutput }) {
      trace.push(`+${call.callId}`)
      await during?.(call, signal)
      const report = stored(root, call) ?? (await perform(root, call, signal, onOutput))
      if (call.tool === 'run') writeFileSync(recordOf(root, call), JSON.stringify(report))
      trace.push(`-${call.callId}`)
      return report
    },
    close: async () => undefined,
    conventions: async () => (toolbox.text === null ? null : { path: 'AGENTS.md', text: toolbox.text }),
    changes: async () => [],
    undo: async () => ({ restored: [], conflicts: [] }),
    todos: () => [],
    running: () => [],
  }
  return toolbox
}

const recordOf = (root: string, { callId }: ToolCall): string => join(root, '.calls', `${callId}-report`)

/** As the real toolbox: a call that has run returns its report. */
const stored = (root: string, call: ToolCall): ToolReport | null =>
  existsSync(recordOf(root, call)) ? JSON.parse(readFileSync(recordOf(root, call), 'utf8')) : null

async function perform(
  root: string,
  { callId, tool, input }: ToolCall,
  signal: AbortSignal,
  onOutput: ((text: string) => void) | undefined,
): Promise<ToolReport> {
  const path = join(root, String(input.path ?? ''))
  const done = (output: string, more: Partial<ToolReport> = {}): ToolReport => ({
    ok: true,
    output,
    summary: tool,
    ...more,
  })
  if (tool === 'read') return done(existsSync(path) ? readFileSync(path, 'utf8') : 'no such file')
  if (tool === 'create') {
    // As the journal of the real tools: a repeated call changes nothing.
    const record = join(root, '.calls', callId)
    if (!existsSync(record)) {
      mkdirSync(join(root, '.calls'), { recursive: true })
      appendFileSync(join(root, 'edits.txt'), `${callId}\n`)
      writeFileSync(path, String(input.content))
      writeFileSync(record, '')
    }
    const patch = `--- /dev/null\n+++ b/${input.path}\n@@ -0,0 +1 @@\n+${input.content}\n`
    return done('created', { changes: [{ path: String(input.path), patch }] })
  }
  if (tool !== 'run') return done(`${tool} done`)
  const started = join(root, '.calls', `${callId}-started`)
  if (existsSync(started)) return { ok: false, output: 'It was interrupted.', summary: 'interrupted' }
  mkdirSync(join(root, '.calls'), { recursive: true })
  writeFileSync(started, '')
  appendFileSync(join(root, 'ran.txt'), `${input.command}\n`)
  onOutput?.('working\n')
  const ms = Number(/^sleep (\d+)/.exec(String(input.command))?.[1] ?? 0)
  try {
    await pause(ms, undefined, { signal })
  } catch {
    return { ok: false, output: 'working', summary: 'stopped' }
  }
  return done('exit code 0\nworking')
}
