// Indexes the installed packages as a real repository, then searches a large index.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DisciplinedClock } from '../../src/kernel/clock.ts'
import { openDb } from '../../src/platform/db/open-db.ts'
import { creditCallers } from '../credit-callers.ts'
import type { Caller } from '../http/requests.ts'
import type { Server } from '../http/rounds.ts'
import { type ApproximateReport, measureApproximate } from './approximate.ts'
import { multiplyIndex, orgOf, questionsIn, vectorsIn } from './sql.ts'

export type IndexReport = {
  files: number
  chunks: number
  coldPerSecond: number
  unchangedPerSecond: number
  searched: { chunks: number; firstMs: number; p50Ms: number; p95Ms: number }
  approximate: ApproximateReport
}

const FILES = { full: 5_000, quick: 400 }
const CHUNKS = { full: 100_000, quick: 5_000 }
const VECTORS = { full: 5_000, quick: 2_000 }
const SEARCHES = 100
const FILES_PER_CALL = 400
const BYTES_MAX = 200_000
const CODE = /(?<!\.min)\.(ts|js|mjs|cjs|py|md)$/

export type IndexBench = { url: string; ours: Server; caller: Caller; quick: boolean }

export async function measureIndex({ url, ours, caller, quick }: IndexBench): Promise<IndexReport> {
  const size = quick ? 'quick' : 'full'
  const files = filesBelow(join(import.meta.dirname, '../../../node_modules'), FILES[size])
  const owner = openDb(url, { clock: new DisciplinedClock(), max: 1, statementTimeoutMs: 600_000 })
  try {
    const org = await orgOf(owner.direct, caller.userId)
    await creditCallers(url)
    const ask = createRequest(ours, caller)
    const cold = await sendAll(ask, files)
    const unchanged = await sendAll(ask, files)
    const questions = await questionsIn(owner.direct, org, SEARCHES)
    const approximate = await measureApproximate(await vectorsIn(owner.direct, org, VECTORS[size]), questions)
    const chunks = await multiplyIndex(owner.direct, org, CHUNKS[size])
    return {
      files: files.length,
      chunks: cold.chunks,
      coldPerSecond: files.length / cold.seconds,
      unchangedPerSecond: files.length / unchanged.seconds,
      searched: { chunks, ...(await searchAll(ask, questions)) },
      approximate,
    }
  } finally {
    await owner.close()
  }
}

export const indexText = (report: IndexReport, table: (rows: string[][]) => string): string =>
  table([
    ['code index', ''],
    ['files', String(report.files)],
    ['chunks', String(report.chunks)],
    ['files/s, new', report.coldPerSecond.toFixed(0)],
    ['files/s, unchanged', report.unchangedPerSecond.toFixed(0)],
    ['chunks searched', String(report.searched.chunks)],
    ['first search, ms', report.searched.firstMs.toFixed(0)],
    ['search p50, ms', report.searched.p50Ms.toFixed(0)],
    ['search p95, ms', report.searched.p95Ms.toFixed(0)],
    ['vectors in PGlite', String(report.approximate.vectors)],
    ['recall@10, HNSW', report.approximate.recall10.toFixed(3)],
    ['vector search, HNSW, ms', report.approximate.approximateMs.toFixed(1)],
    ['vector search, exact, ms', report.approximate.exactMs.toFixed(1)],
  ])

type File = { path: string; content: string }
type IndexRequest = (path: string, body: object) => Promise<{ chunks: number }>

/** Skips nested node_modules, as the index does. */
function filesBelow(root: string, most: number): File[] {
  const files: File[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined && files.length < most; folder = folders.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
        folders.push(path)
      if (!entry.isFile() || !CODE.test(entry.name) || files.length >= most) continue
      const content = readFileSync(join(root, path), 'utf8')
      if (content.length <= BYTES_MAX && !content.includes('\0')) files.push({ path, content })
    }
  }
  return files
}

const createRequest =
  ({ port }: Server, { bearer }: Caller): IndexRequest =>
  async (path, body) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${text.slice(0, 300)}`)
    return JSON.parse(text) as { chunks: number }
  }

async function sendAll(
  ask: IndexRequest,
  files: readonly File[],
): Promise<{ seconds: number; chunks: number }> {
  const startedMs = performance.now()
  let chunks = 0
  for (let at = 0; at < files.length; at += FILES_PER_CALL)
    chunks += (await ask('/repo/index', { files: files.slice(at, at + FILES_PER_CALL) })).chunks
  return { seconds: (performance.now() - startedMs) / 1_000, chunks }
}

async function searchAll(ask: IndexRequest, questions: readonly string[]) {
  const times: number[] = []
  for (const query of [questions[0] ?? 'parse', ...questions]) {
    const startedMs = performance.now()
    await ask('/repo/search', { query })
    times.push(performance.now() - startedMs)
  }
  const [firstMs = 0, ...rest] = times
  const sorted = rest.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { firstMs, p50Ms: at(0.5), p95Ms: at(0.95) }
}
