// Fair measurement on a busy machine: short alternating rounds and their median.

import { databaseCpuMicros } from '../database-cpu.ts'
import type { BenchProcess, Usage } from '../processes.ts'
import type { LoadOrder, LoadResult } from './load-process.ts'

export type Server = { process: BenchProcess; port: number; databasePid?: number }
export type Side = { server: Server; requests: string[] }
export type Figures = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  cpuMicros: number
  databaseMicros: number
}
/** Our performance relative to the other server, by rate and by CPU time per request; 1 is equal. */
export type Ratio = { rate: number; cpu: number }
export type MeasurePlan = { connections: number; warmUpMs: number; rounds: number; roundMs: number }

/** Measures the sides alternately. An answer other than 200 ends the benchmark. */
export async function measure(load: BenchProcess, sides: Side[], plan: MeasurePlan): Promise<Figures[][]> {
  for (const side of sides) await once(load, side, plan.connections, plan.warmUpMs)
  const bySide: Figures[][] = sides.map(() => [])
  for (let round = 0; round < plan.rounds; round++)
    for (const [i, side] of sides.entries())
      bySide[i]?.push(await once(load, side, plan.connections, plan.roundMs))
  return bySide
}

export const typical = (rounds: Figures[]): Figures => ({
  perSecond: median(rounds.map((round) => round.perSecond)),
  p50Ms: median(rounds.map((round) => round.p50Ms)),
  p99Ms: median(rounds.map((round) => round.p99Ms)),
  cpuMicros: median(rounds.map((round) => round.cpuMicros)),
  databaseMicros: median(rounds.map((round) => round.databaseMicros)),
})

/** The median of the ratios of consecutive rounds. */
export const ratioOf = (ours: Figures[], bare: Figures[]): Ratio => ({
  rate: median(ours.map((round, i) => round.perSecond / (bare[i]?.perSecond ?? Number.NaN))),
  cpu: median(ours.map((round, i) => (bare[i]?.cpuMicros ?? Number.NaN) / round.cpuMicros)),
})

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

async function once(load: BenchProcess, side: Side, connections: number, forMs: number): Promise<Figures> {
  const { process, port, databasePid } = side.server
  const databaseMicros = () => (databasePid === undefined ? Number.NaN : databaseCpuMicros(databasePid))
  const databaseBefore = databaseMicros()
  const before = await process.ask<Usage>('usage')
  const order: LoadOrder = { port, requests: side.requests, connections, forMs }
  const { requests, seconds, p50Ms, p99Ms, failures, firstFailure } = await load.ask<LoadResult>({ order })
  const after = await process.ask<Usage>('usage')
  if (failures > 0)
    throw new Error(`${failures} of ${requests} answers were not 200, first:\n${firstFailure}`)
  return {
    perSecond: requests / seconds,
    p50Ms,
    p99Ms,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / requests,
    databaseMicros: (databaseMicros() - databaseBefore) / requests,
  }
}
