// Helpers for tests of the embedded database: a folder per test, servers in it, and processes to kill.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { clusterPath } from '@cowrie/server/src/platform/db/embedded/cluster.ts'
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  startEmbedded,
} from '@cowrie/server/src/platform/db/embedded/embedded.ts'
import { serverProcessesOf } from '@cowrie/server/src/platform/db/embedded/processes.ts'
import { pause, pollUntil, withTimeout } from '@cowrie/server/src/platform/db/embedded/timeouts.ts'
import { openPool, type Pool } from '@cowrie/server/src/platform/db/pool.ts'
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { scratchFolder } from '../harness/scratch-folder.ts'

export type Line = Record<string, unknown>
export type User = { uid: number; gid: number }

/** The folder of the current test and the folder of its database. Both are new for each test. */
export const testFolder = { folder: '', dir: '' }

// Several starts and recoveries in one test are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let undo: (() => unknown)[] = []

/** Runs after the test, last registered first. */
export const onTestEnd = (action: () => unknown): void => void undo.push(action)

beforeEach(() => {
  testFolder.folder = scratchFolder()
  chmodSync(testFolder.folder, 0o755)
  testFolder.dir = join(testFolder.folder, 'db')
  undo = []
})

afterEach(async () => {
  for (const action of undo.reverse()) await action()
  // A server whose parent was killed may still be shutting down.
  const cluster = clusterPath(testFolder.dir)
  await pollUntil(15_000, () => !existsSync(cluster) || serverProcessesOf(cluster).length === 0)
  rmSync(testFolder.folder, { recursive: true, force: true })
})

let template: Promise<string> | undefined
afterAll(async () => template && rmSync(await template, { recursive: true, force: true }))

/** Copies a new cluster into the folder of the test, for tests that do not cover its creation. */
export async function copyCluster(): Promise<void> {
  template ??= makeTemplate()
  mkdirSync(testFolder.dir, { mode: 0o711 })
  execFileSync('cp', ['-a', clusterPath(await template), clusterPath(testFolder.dir)])
}

async function makeTemplate(): Promise<string> {
  const dir = scratchFolder()
  const embedded = await startEmbedded({ dir, log: () => undefined, settings: { fsync: 'off' } })
  await embedded.stop()
  return dir
}

export async function start(
  settings: Record<string, string> = {},
  options: Pick<EmbeddedOptions, 'onDown' | 'backoff'> = {},
): Promise<EmbeddedServer> {
  const embedded = await startEmbedded({
    dir: testFolder.dir,
    log: () => undefined,
    settings,
    ...options,
  })
  onTestEnd(() => embedded.stop())
  return embedded
}

export const hostOf = (url: string): string => new URL(url).searchParams.get('host') ?? ''

export function connect(url: string): Pool {
  const sql = openPool(url)
  onTestEnd(() => sql.end({ timeout: 0 }))
  return sql
}

/** Starts the database in a separate process. */
export function startProcess(task: 'hold' | 'write' | 'leave' = 'hold', user?: User) {
  const program = join(import.meta.dirname, 'embedded-process.ts')
  const child = spawn(process.execPath, [program, testFolder.dir, task], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(user ?? {}),
  })
  const exited = new Promise<number | null>((ended) => child.once('exit', ended))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  onTestEnd(kill)

  const listeners = new Set<(line: Line) => void>()
  const first = new Promise<Line>((found) => listeners.add(found))
  createInterface({ input: child.stdout }).on('line', (text) => {
    // A kill may cut off the last line, which then was not acknowledged.
    if (text.endsWith('}')) for (const listener of listeners) listener(JSON.parse(text))
  })
  return {
    pid: child.pid,
    exited,
    kill,
    /** Its first line: the URL of the database, or the error. */
    firstLine: async (): Promise<Line> =>
      (await withTimeout(40_000, first)) ?? { refused: 'the process printed nothing' },
    /** The pid of its server once it is running. */
    serverPid: async (): Promise<number> => {
      const line = await withTimeout(40_000, first)
      expect(line).toHaveProperty('pid')
      return Number(line?.pid)
    },
    listen: (listener: (line: Line) => void): void => void listeners.add(listener),
  }
}

/** Retries an action for up to 30 seconds while the server is down. */
export async function eventually<T>(action: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + 30_000
  for (;;) {
    try {
      return await action()
    } catch (error) {
      if (performance.now() > endMs) throw error
      await pause(50)
    }
  }
}
