// The docker sandbox: a container without network, privileges or a writable disk, created for one run and removed
// after it.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Config } from '../../platform/config.ts'
import { packFiles, sendArchive } from '../archive.ts'
import { parseNotes } from '../bootstrap.ts'
import {
  type CommandInput,
  type CommandRun,
  cancelledRun,
  failedRun,
  withDefaultLimits,
} from '../command-run.ts'
import { monitorRun, type RunMonitor, toMonitoredResult } from '../run-monitor.ts'
import { findContainerProblem, PROBE } from '../self-test.ts'
import { packTree } from '../tree-archive.ts'
import { LABEL, toContainerConfig } from './container.ts'
import { type DockerEngine, engineAddress, openEngine } from './engine.ts'
import { createFrameReader } from './frames.ts'

export type DockerProbe =
  | { readonly run: (input: CommandInput) => Promise<CommandRun>; readonly doubt: null }
  | { readonly run: null; readonly doubt: string }

const PROBE_MS = 20_000
/** After its wall clock limit, a run has this long before a sweep may remove it. */
const GRACE_MS = 60_000
const CLOSE_MS = 5_000

/** Checks the engine and the image, and removes containers of dead processes. Never pulls the image. */
export async function findDocker({ docker: { host, image } }: Pick<Config, 'docker'>): Promise<DockerProbe> {
  const address = engineAddress(host)
  if (address === null) return toUnusable('the engine is on another machine')
  const engine = openEngine(address)
  try {
    const ping = await engine.call('GET', '/_ping')
    if (ping.status !== 200) return toUnusable(`the engine answers ${ping.status}`)
    const found = await engine.call('GET', `/images/${encodeURIComponent(image)}/json`)
    if (found.status !== 200) return toUnusable(`the image ${image} is not there`)
    await sweepContainers(engine)
  } catch (error) {
    return toUnusable(`the engine does not answer: ${(error as Error).message}`)
  }
  const run = (input: CommandInput) => runInContainer(engine, image, input)
  const doubt = findContainerProblem(
    await run({
      files: new Map([['probe', 'sound']]),
      command: PROBE,
      signal: AbortSignal.timeout(PROBE_MS),
    }),
  )
  return doubt === null ? { run, doubt } : toUnusable(doubt)
}

const toUnusable = (doubt: string): DockerProbe => ({ run: null, doubt })

async function runInContainer(engine: DockerEngine, image: string, input: CommandInput): Promise<CommandRun> {
  if (input.signal.aborted) return cancelledRun()
  // The image has other programs than this host, for which the dependencies were built.
  if (input.layer !== undefined) return failedRun('prepared dependencies need the local sandbox')
  const packed = await pack(input)
  if ('refused' in packed) return failedRun(packed.refused)
  const { bytes: filesBytes, extraMemoryBytes } = packed
  const asked = withDefaultLimits(input)
  const limits = { ...asked, memoryBytes: asked.memoryBytes + extraMemoryBytes }
  const keepUntilMs = performance.timeOrigin + performance.now() + limits.wallClockMs + GRACE_MS
  const name = `cowrie-run-${randomBytes(8).toString('hex')}`
  const body = toContainerConfig({ image, command: input.command, limits, filesBytes, keepUntilMs })
  const made = await engine.call<{ Id?: string; message?: string }>(
    'POST',
    `/containers/create?name=${name}`,
    { body },
  )
  const id = made.body.Id
  if (made.status !== 201 || id === undefined)
    return failedRun(`no container: ${made.body.message ?? made.status}`)
  const watch = monitorRun({ limits, signal: input.signal, stop: () => void kill(engine, id) })
  try {
    return await superviseContainer(engine, id, watch, packed.archive, limits.wallClockMs)
  } finally {
    watch.close()
    await remove(engine, id)
  }
}

type PackedFiles = {
  readonly archive: Buffer | AsyncIterable<Buffer>
  readonly bytes: number
  /** The files of a folder are in memory, and do not count against the memory limit of the command. */
  readonly extraMemoryBytes: number
}

async function pack({ files, tree }: CommandInput): Promise<PackedFiles | { refused: string }> {
  if (tree === undefined || tree.folder === null) {
    const packed = packFiles(tree?.files ?? files ?? new Map())
    return 'refused' in packed ? packed : { ...packed, bytes: packed.archive.length, extraMemoryBytes: 0 }
  }
  const packed = await packTree(tree)
  if ('refused' in packed) return packed
  return { archive: packed.stream, bytes: packed.bytes, extraMemoryBytes: packed.bytes }
}

async function superviseContainer(
  engine: DockerEngine,
  id: string,
  watch: RunMonitor,
  archive: PackedFiles['archive'],
  wallClockMs: number,
): Promise<CommandRun> {
  const socket = await engine.attach(id)
  try {
    const outputEnded = collectOutput(socket, watch)
    const started = await engine.call('POST', `/containers/${id}/start`)
    if (started.status !== 204) throw new Error(`the engine does not start a container: ${started.status}`)
    if (Buffer.isBuffer(archive)) socket.end(archive)
    else await sendArchive(archive, socket)
    const timeoutMs = wallClockMs + GRACE_MS
    const ended = await engine.call<{ StatusCode?: number }>('POST', `/containers/${id}/wait`, { timeoutMs })
    await Promise.race([outputEnded, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
    const seen = await engine.call<{ State?: { OOMKilled?: boolean } }>('GET', `/containers/${id}/json`)
    const notes = parseNotes(watch.notes())
    const isOverMemory = notes.isOverMemory || seen.body.State?.OOMKilled === true
    return toMonitoredResult(watch, { exitCode: ended.body.StatusCode ?? null }, { ...notes, isOverMemory })
  } finally {
    socket.destroy()
  }
}

/** Resolves at the end of the output. After a broken connection, the exit status tells what happened. */
function collectOutput(socket: Socket, watch: RunMonitor): Promise<void> {
  return new Promise((resolve) => {
    socket.on('data', createFrameReader({ output: watch.addOutput, notes: watch.addNotes }))
    socket.on('error', () => socket.destroy())
    socket.on('end', resolve)
    socket.on('close', () => resolve())
  })
}

/** Failures are ignored: the container may have ended, and the forced removal follows. */
const kill = (engine: DockerEngine, id: string): Promise<boolean> =>
  engine.call('POST', `/containers/${id}/kill?signal=KILL`).then(
    ({ status }) => status === 204,
    () => false,
  )

async function remove(engine: DockerEngine, id: string): Promise<void> {
  const { status } = await engine.call('DELETE', `/containers/${id}?force=1&v=1`)
  // 404 and 409: another process removes it or has removed it.
  if (status !== 204 && status !== 404 && status !== 409)
    throw new Error(`a container stays behind: ${status}`)
}

/** A label holds the time until which a run needs its container, so containers of live replicas stay. */
async function sweepContainers(engine: DockerEngine): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({ label: [LABEL] }))
  type Listed = { Id: string; Labels?: Record<string, string> }[]
  const { body } = await engine.call<Listed>('GET', `/containers/json?all=1&filters=${filters}`)
  const nowMs = performance.timeOrigin + performance.now()
  for (const { Id, Labels } of body) if (Number(Labels?.[LABEL] ?? 0) < nowMs) await remove(engine, Id)
}
