// Runs a command in the local sandbox: starts it, sends the files, collects the output, and removes everything
// afterwards.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { sendArchive } from '../archive.ts'
import { parseNotes } from '../bootstrap.ts'
import {
  type CommandInput,
  type CommandRun,
  cancelledRun,
  failedRun,
  withDefaultLimits,
} from '../command-run.ts'
import { monitorRun, type ProcessExit, type RunMonitor, toMonitoredResult } from '../run-monitor.ts'
import { planLaunch } from './bubblewrap.ts'
import { type ControlGroup, createGroup } from './control-groups.ts'
import type { LocalTools } from './local-tools.ts'
import { type Placement, placeFiles } from './placement.ts'
import { treeMemoryBytes } from './tree-memory.ts'

type Pipes = [Writable, Readable, Readable, ...Writable[]]

const CLOSE_MS = 5_000

export async function runLocally(tools: LocalTools, input: CommandInput): Promise<CommandRun> {
  if (input.signal.aborted) return cancelledRun()
  const placement = await placeFiles(tools, input)
  if ('refused' in placement) return failedRun(placement.refused)
  return runPlaced(tools, { ...input, limits: withDefaultLimits(input) }, placement, input.layer?.environment)
}

/** Runs a command on files that are placed already. */
export async function runPlaced(
  tools: LocalTools,
  input: Pick<CommandInput, 'command' | 'signal' | 'limits'>,
  placement: Placement,
  environment: Readonly<Record<string, string>> = {},
  fileBytes = 0,
): Promise<CommandRun> {
  const { archive, archiveBytes: filesBytes, extraMemoryBytes, mounts, deleted } = placement
  const asked = withDefaultLimits(input)
  const limits = { ...asked, memoryBytes: asked.memoryBytes + extraMemoryBytes }
  const group = tools.groups === null ? null : await createGroup(tools.groups, limits)
  try {
    const launch = { limits, filesBytes, group, mounts, deleted, environment, fileBytes }
    const { program, args, data } = planLaunch(tools, { command: input.command, ...launch })
    const child = spawn(program, args, {
      cwd: '/',
      env: {},
      // Own process group, so that signals to us do not reach it.
      detached: true,
      stdio: descriptors(data.length, tools),
    })
    const watch = monitorRun({
      limits,
      signal: input.signal,
      stop: () => killTree(child),
      memoryBytes: group === null ? () => memoryOf(child) : undefined,
    })
    const ending = await superviseChild(child, watch, archive, data)
    return await toCommandRun(watch, ending, group)
  } finally {
    await group?.remove()
  }
}

/** Replaces every other open descriptor by /dev/null. */
function descriptors(
  dataCount: number,
  { strays, nullDescriptor }: LocalTools,
): ('pipe' | 'ignore' | number)[] {
  const ours = 3 + dataCount
  const all = Math.max(ours, ...strays.map((stray) => stray + 1))
  return Array.from({ length: all }, (_, i) =>
    i < ours ? 'pipe' : strays.includes(i) ? nullDescriptor : 'ignore',
  )
}

function superviseChild(
  child: ChildProcess,
  watch: RunMonitor,
  archive: Placement['archive'],
  data: readonly Buffer[],
): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once('error', (error) =>
      resolve({ exitCode: null, problem: `it could not be started: ${error.message}` }),
    )
    // The pipes close when the last process is gone.
    child.once('close', (code) => resolve({ exitCode: code }))
    child.once('exit', (code) => {
      setTimeout(() => resolve({ exitCode: code }), CLOSE_MS).unref()
    })
    const [input, output, notes, ...others] = child.stdio.slice(0, data.length + 3) as Pipes
    output.on('data', watch.addOutput)
    notes.on('data', watch.addNotes)
    // A sandbox that dies early does not read its input; its exit code tells why.
    for (const stream of [input, ...others]) stream.on('error', () => stream.destroy())
    for (const [i, stream] of others.entries()) stream.end(data[i])
    // The first note requests the archive or reports a failure.
    notes.once('data', () => {
      if (Buffer.isBuffer(archive)) input.end(archive)
      else
        sendArchive(archive, input).catch((error: Error) => {
          killTree(child)
          resolve({ exitCode: null, problem: error.message })
        })
    })
  })
}

async function toCommandRun(
  watch: RunMonitor,
  ending: ProcessExit,
  group: ControlGroup | null,
): Promise<CommandRun> {
  const hits = await group?.readLimitHits()
  const notes = parseNotes(watch.notes())
  return toMonitoredResult(watch, ending, {
    ...notes,
    isOverMemory: notes.isOverMemory || hits?.memory === true,
    isOverProcesses: notes.isOverProcesses || hits?.processes === true,
  })
}

const memoryOf = ({ pid }: ChildProcess): number => (pid === undefined ? 0 : treeMemoryBytes(pid))

/** The first process of the sandbox dies with the one we started; then the kernel kills the others. */
function killTree(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  process.kill(-child.pid, 'SIGKILL')
}
