// Event streams: memory and throughput with many open streams.

import type { BenchProcess, Usage } from '../processes.ts'
import { byKey, type Caller, FRAMES, get } from './requests.ts'
import { type Figures, median, type Ratio, ratioOf, type Server, typical } from './rounds.ts'
import type { StreamOrder, StreamResult } from './stream-process.ts'

/** `rssGrowthBytes`: growth in the first round on a fresh server, from before the first stream until after the last. */
export type StreamFigures = Figures & { kilobytesPerStream: number; rssGrowthBytes: number }
export type StreamComparison = { ours: StreamFigures; bare: StreamFigures; ratio: Ratio }

export const STREAMS = 200

/** The first round warms up and measures the memory growth. The others measure speed and memory per stream. */
export async function compareStreams(
  readers: BenchProcess,
  servers: { ours: Server; bare: Server },
  callers: Caller[],
  rounds: number,
): Promise<StreamComparison> {
  const requests = callers.map((caller) => get('/bench/stream', byKey(caller)))
  const ours: StreamFigures[] = []
  const bare: StreamFigures[] = []
  for (let i = 0; i <= rounds; i++) {
    ours.push(await once(readers, servers.ours, requests))
    bare.push(await once(readers, servers.bare, requests))
  }
  const summarise = (all: StreamFigures[]): StreamFigures => ({
    ...typical(all.slice(1)),
    kilobytesPerStream: median(all.slice(1).map((round) => round.kilobytesPerStream)),
    rssGrowthBytes: all[0]?.rssGrowthBytes ?? Number.NaN,
  })
  return { ours: summarise(ours), bare: summarise(bare), ratio: ratioOf(ours.slice(1), bare.slice(1)) }
}

async function once(
  readers: BenchProcess,
  { process, port }: Server,
  requests: string[],
): Promise<StreamFigures> {
  const before = await process.ask<Usage>('memory')
  await readers.ask({ open: { port, requests, streams: STREAMS } satisfies StreamOrder })
  const open = await process.ask<Usage>('memory')
  const startMs = performance.now()
  const finished = readers.ask<StreamResult>('finish')
  await process.ask('go')
  const { frames, refused } = await finished
  const seconds = (performance.now() - startMs) / 1000
  const after = await process.ask<Usage>('usage')
  if (refused !== null || frames !== STREAMS * FRAMES)
    throw new Error(`${frames} of ${STREAMS * FRAMES} frames arrived; first refusal: ${refused ?? 'none'}`)
  return {
    perSecond: frames / seconds,
    p50Ms: Number.NaN,
    p99Ms: Number.NaN,
    cpuMicros: (after.cpuMicros - open.cpuMicros) / frames,
    databaseMicros: Number.NaN,
    kilobytesPerStream: (open.liveBytes - before.liveBytes) / STREAMS / 1024,
    rssGrowthBytes: after.rssBytes - before.rssBytes,
  }
}
