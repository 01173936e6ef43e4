// Steady load over a long time, at a share of what the service can do: memory and the slowest answers must stay as they are.

import { databaseCpuMicros } from './database-cpu.ts'
import { chatRequests } from './gateway/requests.ts'
import type { LoadOrder, LoadResult } from './http/load-process.ts'
import type { Caller } from './http/requests.ts'
import { bySession, get, once, post } from './http/requests.ts'
import { median, type Server } from './http/rounds.ts'
import type { BenchProcess, Usage } from './processes.ts'

type Window = LoadResult & {
  perSecond: number
  cpuMicros: number
  databaseMicros: number
  rssBytes: number
  liveBytes: number
}
export type SteadyReport = { fullPerSecond: number; askedPerSecond: number; windows: Window[] }

export type SteadyBench = {
  ours: Server
  upstream: Server
  load: BenchProcess
  callers: Caller[]
  minutes: number
}

const CONNECTIONS = 64
const FULL_MS = 10_000
const WINDOW_MS = 60_000
const SHARE = 0.7
const TIMEOUT_MS = 120_000

/** A quarter each: the account of a person, an idempotent write, and two paid answers of a model. */
export async function measureSteady({
  ours,
  upstream,
  load,
  callers,
  minutes,
}: SteadyBench): Promise<SteadyReport> {
  await upstream.process.ask({ tickMs: 0 })
  const answers = chatRequests(callers, upstream.port, false).ours
  const requests = callers.map((caller, i) => {
    if (i % 4 === 0) return get('/me', bySession(caller))
    if (i % 4 === 1) return post('/bench/spend', [`authorization: Bearer ${caller.bearer}`, ...once()])
    return answers[i] ?? ''
  })
  const order: LoadOrder = { port: ours.port, requests, connections: CONNECTIONS, forMs: FULL_MS }
  const ask = (asked: LoadOrder) => load.ask<LoadResult>({ order: asked }, TIMEOUT_MS)
  await ask(order)
  const full = await ask(order)
  const fullPerSecond = full.requests / full.seconds
  const askedPerSecond = Math.floor(fullPerSecond * SHARE)
  const windows: Window[] = []
  for (let minute = 0; minute < minutes; minute++) {
    const before = await ours.process.ask<Usage>('usage')
    const databaseBefore = databaseCpuMicros(ours.databasePid ?? 0)
    const result = await ask({ ...order, forMs: WINDOW_MS, perSecond: askedPerSecond })
    if (result.failures > 0)
      throw new Error(`${result.failures} answers were not 200, first:\n${result.firstFailure}`)
    const after = await ours.process.ask<Usage>('memory')
    windows.push({
      ...result,
      perSecond: result.requests / result.seconds,
      cpuMicros: (after.cpuMicros - before.cpuMicros) / result.requests,
      databaseMicros: (databaseCpuMicros(ours.databasePid ?? 0) - databaseBefore) / result.requests,
      rssBytes: after.rssBytes,
      liveBytes: after.liveBytes,
    })
  }
  return { fullPerSecond, askedPerSecond, windows }
}

/** The first and the last third, and every fifth minute. */
export function steadyText(
  { fullPerSecond, askedPerSecond, windows }: SteadyReport,
  table: (rows: string[][]) => string,
): string {
  const third = Math.max(1, Math.floor(windows.length / 3))
  const line = (name: string, some: readonly Window[]): string[] => {
    const middle = (of: (window: Window) => number) => median(some.map(of))
    return [
      name,
      middle((window) => window.perSecond).toFixed(0),
      middle((window) => window.p50Ms).toFixed(1),
      middle((window) => window.p99Ms).toFixed(1),
      middle((window) => window.cpuMicros).toFixed(0),
      middle((window) => window.databaseMicros).toFixed(0),
      middle((window) => window.rssBytes / 1024 / 1024).toFixed(0),
      middle((window) => window.liveBytes / 1024 / 1024).toFixed(0),
    ]
  }
  return table([
    [
      `steady load, ${askedPerSecond} of ${fullPerSecond.toFixed(0)} requests/s`,
      'per second',
      'p50 ms',
      'p99 ms',
      'CPU µs',
      'database µs',
      'RSS, MB',
      'live, MB',
    ],
    ...windows.flatMap((window, i) => (i % 5 === 0 ? [line(`minute ${i + 1}`, [window])] : [])),
    line('median of the first third', windows.slice(0, third)),
    line('median of the last third', windows.slice(-third)),
  ])
}
