// The cost of research besides waiting: whole runs against fake web servers with fixed delays, and page reading alone.
import { readPage } from '../../src/research/reading/read-page.ts'
import { DEPTHS, type Depth } from '../../src/research/types.ts'
import { html, QUESTION } from '../../src/research/world/pages.ts'
import { creditCallers } from '../credit-callers.ts'
import type { Caller } from '../http/requests.ts'
import { median, type Server } from '../http/rounds.ts'
import { start, type Usage } from '../processes.ts'
import type { WebTimes } from './web-process.ts'

export type RunFigures = {
  readonly depth: Depth
  readonly totalMs: number
  /** Time with at least one open call to the fake servers. */
  readonly waitedMs: number
  readonly cpuMs: number
  readonly searches: number
  readonly pages: number
  readonly turns: number
}
export type ReadFigures = { readonly what: string; readonly bytes: number; readonly msPerPage: number }
export type ResearchBenchReport = {
  readonly runs: readonly RunFigures[]
  readonly reading: readonly ReadFigures[]
}
type Bench = { variables: Record<string, string>; caller: Caller; quick: boolean }

const ROUNDS = 3
const READ_TIMES = 20

export async function measureResearch({ variables, caller, quick }: Bench): Promise<ResearchBenchReport> {
  await creditCallers(variables.DATABASE_URL ?? '')
  const outside = start('research/web-process.ts')
  // Only development and tests may read pages on loopback.
  const web = {
    NODE_ENV: 'test',
    SERVICE_ENV: 'test',
    ...(await outside.ask<Record<string, string>>('variables')),
  }
  const process = start('http/service-process.ts', { ...variables, ...web })
  try {
    const ours: Server = { process, port: await process.ask('port') }
    const run = async (depth: Depth): Promise<RunFigures> => {
      await outside.ask('times')
      const before = await process.ask<Usage>('usage')
      const totalMs = await timed(() => runResearch(ours, caller, depth))
      const { waitedMs, searches, pages, turns } = await outside.ask<WebTimes>('times')
      const { cpuMicros } = await process.ask<Usage>('usage')
      if (pages === 0) throw new Error('the run read no page')
      const cpuMs = (cpuMicros - before.cpuMicros) / 1_000
      return { depth, totalMs, waitedMs, cpuMs, searches, pages, turns }
    }
    // A warm-up run: it loads the code.
    await run('quick')
    const runs: RunFigures[] = []
    for (const depth of DEPTHS) runs.push(await typicalRun(() => run(depth), quick ? 1 : ROUNDS))
    return { runs, reading: [await readingOf('an article', 3), await readingOf('a long page', 2_000)] }
  } finally {
    await Promise.all([process.stop(), outside.stop()])
  }
}

/** The run with the median processing time. */
async function typicalRun(run: () => Promise<RunFigures>, rounds: number): Promise<RunFigures> {
  const all: RunFigures[] = []
  for (let round = 0; round < rounds; round++) all.push(await run())
  const sorted = all.toSorted((a, b) => ownMs(a) - ownMs(b))
  return sorted[Math.floor(sorted.length / 2)] as RunFigures
}

export const ownMs = ({ totalMs, waitedMs }: RunFigures): number => totalMs - waitedMs

/** Starts a run and reads its stream to the end, as a customer does. */
async function runResearch({ port }: Server, { bearer }: Caller, depth: Depth): Promise<void> {
  const address = `http://127.0.0.1:${port}/research`
  const headers = { authorization: `Bearer ${bearer}` }
  const started = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ question: QUESTION, depth }),
  })
  if (started.status !== 202) throw new Error(`the run did not start: ${await started.text()}`)
  const { id } = (await started.json()) as { id: string }
  const events = await (await fetch(`${address}/${id}/stream`, { headers })).text()
  const last = events.trimEnd().split('\n').at(-1) ?? ''
  if (!last.includes('"status":"completed","stopReason":"completed"'))
    throw new Error(`the run did not complete: ${last}`)
}

/** Reads one page after the other on the service's worker threads. */
async function readingOf(what: string, paragraphs: number): Promise<ReadFigures> {
  const bytes = pageOf(paragraphs)
  const page = { url: 'https://example.com/page', contentType: 'text/html', charset: 'utf-8', bytes }
  const read = () => readPage(page, { signal: new AbortController().signal, owner: 'bench' })
  for (let warmUp = 0; warmUp < 3; warmUp++) await read()
  const times: number[] = []
  for (let time = 0; time < READ_TIMES; time++) times.push(await timed(read))
  return { what, bytes: bytes.length, msPerPage: median(times) }
}

const pageOf = (paragraphs: number): Buffer => {
  const lines = Array.from(
    { length: paragraphs },
    (_, at) =>
      `<p>In ${1900 + (at % 120)} the port of Makoro handled ${at + 7} ships, most of them with grain and cement.</p>`,
  )
  return Buffer.from(html('Ships at Makoro', lines.join('\n')))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}
