// The overhead of our OpenAI-compatible API over a model: time to first token, throughput, CPU and memory, billing included.

import { creditCallers } from '../credit-callers.ts'
import type { Caller } from '../http/requests.ts'
import { type MeasurePlan, measure, median, ratioOf, type Server, typical } from '../http/rounds.ts'
import type { BenchProcess, Usage } from '../processes.ts'
import type { ReadOrder, ReadResult } from './reader-process.ts'
import {
  CLIENT_WIRES,
  type ClientWire,
  chatRequests,
  type RequestsByRoute,
  STREAM_ENDS,
  TOKENS,
  wireRequests,
} from './requests.ts'

export type GatewayRoute = keyof RequestsByRoute
export type Flow = {
  way: GatewayRoute
  streams: number
  /** Tokens come at a model's pace, or as fast as possible. */
  paced: boolean
  firstP50Ms: number
  firstP99Ms: number
  tokensPerSecond: number
  cpuMsPer1000Tokens: number
}
export type GatewayReport = {
  flows: Flow[]
  whole: { way: GatewayRoute; perSecond: number; p50Ms: number; cpuMicros: number }[]
  /** The rate of whole answers relative to the peer, which has no billing. Null without the peer. */
  wholeRatio: number | null
  /** Every client format over the same provider. */
  wires: WireFigures[]
  /** Resident memory while a thousand answers stream. */
  openRssBytes: number
}

export type WireFigures = {
  wire: ClientWire
  firstP50Ms: number
  cpuMsPer1000Tokens: number
  /** Of a whole answer. */
  cpuMicros: number
}

export type GatewayBench = {
  url: string
  ours: Server
  upstream: Server
  peer: Server | null
  load: BenchProcess
  readers: BenchProcess
  callers: Caller[]
  plan: MeasurePlan
}

const SETTINGS = [
  { streams: 1, paced: true },
  { streams: 50, paced: true },
  { streams: 500, paced: true },
  { streams: 50, paced: false },
]
const MANY = 1_000
/** About ten thousand tokens a second over all streams: more than a model produces, less than two cores can handle. */
const tickFor = (streams: number): number => Math.max(2, streams / 10)
const TIMEOUT_MS = 180_000

export async function measureGateway(on: GatewayBench): Promise<GatewayReport> {
  await creditCallers(on.url)
  const servers: Record<GatewayRoute, Server | null> = { direct: on.upstream, ours: on.ours, peer: on.peer }
  const ways = (['direct', 'ours', 'peer'] as const).filter((way) => servers[way] !== null)
  const streamed = chatRequests(on.callers, on.upstream.port, true)
  const flows: Flow[] = []
  for (const { streams, paced } of SETTINGS) {
    process.stderr.write(
      `measuring the gateway: ${streams} streams${paced ? '' : ', as fast as possible'} …\n`,
    )
    await on.upstream.process.ask({ tickMs: paced ? tickFor(streams) : 0 })
    const rounds = new Map<GatewayRoute, Flow[]>(ways.map((way) => [way, []]))
    for (let round = 0; round <= (streams === 1 ? on.plan.rounds : 2); round++)
      for (const way of ways) {
        const flow = await listen(on, way, servers[way] as Server, streamed[way], { streams, paced })
        // The first round warms up.
        if (round > 0) rounds.get(way)?.push(flow)
      }
    for (const all of rounds.values()) flows.push(middle(all))
  }
  process.stderr.write('measuring the gateway: whole answers …\n')
  const whole = await measureWhole(on, ways, servers)
  process.stderr.write('measuring the gateway: client formats …\n')
  const wires = await measureWires(on)
  process.stderr.write(`measuring the gateway: ${MANY} open streams …\n`)
  return { flows, ...whole, wires, openRssBytes: await openMany(on, streamed.ours) }
}

async function listen(
  on: GatewayBench,
  way: GatewayRoute,
  server: Server,
  requests: string[],
  { streams, paced }: Pick<Flow, 'streams' | 'paced'>,
): Promise<Flow> {
  const answersEach = streams === 1 ? 8 : paced ? 2 : 20
  const before = await server.process.ask<Usage>('usage')
  const order: ReadOrder = { port: server.port, requests, streams, answersEach }
  const result = await on.readers.ask<ReadResult>(order, TIMEOUT_MS)
  const after = await server.process.ask<Usage>('usage')
  const expected = streams * answersEach * TOKENS
  if (result.refused !== null || result.tokens !== expected)
    throw new Error(`${way}: ${result.tokens} of ${expected} tokens came; first refusal: ${result.refused}`)
  return {
    way,
    streams,
    paced,
    firstP50Ms: at(result.firstMs, 0.5),
    firstP99Ms: at(result.firstMs, 0.99),
    tokensPerSecond: result.tokens / result.seconds,
    cpuMsPer1000Tokens: (after.cpuMicros - before.cpuMicros) / result.tokens,
  }
}

async function measureWhole(
  on: GatewayBench,
  ways: GatewayRoute[],
  servers: Record<GatewayRoute, Server | null>,
) {
  const requests = chatRequests(on.callers, on.upstream.port, false)
  const sides = ways.map((way) => ({ server: servers[way] as Server, requests: requests[way] }))
  const rounds = await measure(on.load, sides, on.plan)
  const of = (way: GatewayRoute) => rounds[ways.indexOf(way)] ?? []
  return {
    whole: ways.map((way) => ({ way, ...typical(of(way)) })),
    wholeRatio: on.peer ? ratioOf(of('ours'), of('peer')).rate : null,
  }
}

const WIRE_STREAMS = 20

async function measureWires(on: GatewayBench): Promise<WireFigures[]> {
  await on.upstream.process.ask({ tickMs: 2 })
  const rounds = new Map<ClientWire, ReadFigures[]>(CLIENT_WIRES.map((wire) => [wire, []]))
  for (let round = 0; round <= on.plan.rounds; round++)
    for (const wire of CLIENT_WIRES) {
      const figures = await readWire(on, wire)
      // The first round warms up.
      if (round > 0) rounds.get(wire)?.push(figures)
    }
  const sides = CLIENT_WIRES.map((wire) => ({
    server: on.ours,
    requests: wireRequests(on.callers, wire, false),
  }))
  const whole = await measure(on.load, sides, on.plan)
  return CLIENT_WIRES.map((wire, index) => ({
    wire,
    firstP50Ms: median((rounds.get(wire) ?? []).map(({ firstP50Ms }) => firstP50Ms)),
    cpuMsPer1000Tokens: median((rounds.get(wire) ?? []).map(({ cpuMsPer1000Tokens }) => cpuMsPer1000Tokens)),
    cpuMicros: typical(whole[index] ?? []).cpuMicros,
  }))
}

type ReadFigures = Pick<WireFigures, 'firstP50Ms' | 'cpuMsPer1000Tokens'>

async function readWire(on: GatewayBench, wire: ClientWire): Promise<ReadFigures> {
  const requests = wireRequests(on.callers, wire, true)
  const order: ReadOrder = {
    port: on.ours.port,
    requests,
    streams: WIRE_STREAMS,
    answersEach: 3,
    end: STREAM_ENDS[wire],
  }
  const before = await on.ours.process.ask<Usage>('usage')
  const result = await on.readers.ask<ReadResult>(order, TIMEOUT_MS)
  const after = await on.ours.process.ask<Usage>('usage')
  if (result.refused !== null || result.tokens < WIRE_STREAMS * TOKENS)
    throw new Error(`${wire}: ${result.tokens} tokens came; first refusal: ${result.refused}`)
  return {
    firstP50Ms: at(result.firstMs, 0.5),
    cpuMsPer1000Tokens: (after.cpuMicros - before.cpuMicros) / result.tokens,
  }
}

/** The peak resident memory while a thousand answers stream slowly. */
async function openMany(on: GatewayBench, requests: string[]): Promise<number> {
  await on.upstream.process.ask({ tickMs: 100 })
  const order: ReadOrder = { port: on.ours.port, requests, streams: MANY, answersEach: 1 }
  const result = on.readers.ask<ReadResult>(order, TIMEOUT_MS)
  let most = 0
  let isOver = false
  const over = result.finally(() => {
    isOver = true
  })
  while (!isOver) {
    most = Math.max(most, (await on.ours.process.ask<Usage>('usage')).rssBytes)
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 500))])
  }
  const { tokens, refused } = await result
  if (tokens !== MANY * TOKENS) throw new Error(`${tokens} tokens of ${MANY} streams came: ${refused}`)
  return most
}

const middle = (all: Flow[]): Flow => {
  const of = (value: (flow: Flow) => number) => median(all.map(value))
  const [first] = all
  if (!first) throw new Error('nothing was measured')
  return {
    ...first,
    firstP50Ms: of((flow) => flow.firstP50Ms),
    firstP99Ms: of((flow) => flow.firstP99Ms),
    tokensPerSecond: of((flow) => flow.tokensPerSecond),
    cpuMsPer1000Tokens: of((flow) => flow.cpuMsPer1000Tokens),
  }
}

const at = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
