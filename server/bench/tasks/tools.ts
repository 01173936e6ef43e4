// The latency of the tools of a task on a folder of 5,000 files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createMemoryWorkspace, createToolStage } from '@cowrie/testkit/tasks/memory-workspace.ts'

export type ToolRow = { readonly name: string; readonly p50Ms: number; readonly p95Ms: number }

const FILES = 5_000
const CALLS = 40

export async function benchTools(calls = CALLS): Promise<ToolRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-bench-tools-'))
  try {
    const onDisk = writeFiles(folder)
    const workspace = createMemoryWorkspace({}, { folder, onDisk })
    // The workspace of a task does not sort its files for each call.
    const fixed = { ...workspace, files: workspace.files, tree: workspace.tree }
    const { call } = createToolStage(fixed)
    const rows: ToolRow[] = []
    for (const [name, inputOf] of CASES) {
      const [tool = ''] = name.split(' ')
      const times: number[] = []
      for (let i = 0; i < calls; i++) {
        const startedAt = performance.now()
        const { ok, output } = await call(tool, inputOf(i))
        if (!ok) throw new Error(`${name}: ${output}`)
        times.push(performance.now() - startedAt)
      }
      times.sort((a, b) => a - b)
      rows.push({ name, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95) })
    }
    return rows
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const CASES: readonly (readonly [name: string, inputOf: (i: number) => object])[] = [
  ['list', () => ({ path: 'src' })],
  ['list by pattern', () => ({ pattern: '**/*7.ts' })],
  ['read', (i) => ({ path: pathOf(i * 97) })],
  ['search text', (i) => ({ query: `handler${i * 97}(`, kind: 'text' })],
  ['search common text', () => ({ query: 'return', kind: 'text' })],
  ['search regex', (i) => ({ query: `function\\s+handler${i * 97}\\b`, kind: 'regex' })],
  ['search regex without literals', () => ({ query: '\\w+7[(]\\w', kind: 'regex' })],
  ['search symbol', (i) => ({ query: `handler${i * 97}`, kind: 'symbol' })],
  ['search meaning', () => ({ query: 'where is the total of an invoice rounded', kind: 'meaning' })],
  [
    'edit',
    (i) => ({
      path: pathOf(i * 97),
      edits: [{ find: `handler${i * 97}(items`, replace: `handle${i * 97}(items` }],
    }),
  ],
  ['create', (i) => ({ path: `src/new/file${i}.ts`, content: 'export const value = 1\n' })],
]

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const pathOf = (i: number): string => `src/module${i % 100}/part${i % 10}/file${i % FILES}.ts`

/** About 6 KB per file, 30 MB in all. */
function writeFiles(folder: string): Map<string, { bytes: number }> {
  const onDisk = new Map<string, { bytes: number }>()
  for (let i = 0; i < FILES; i++) {
    const path = pathOf(i)
    const text = Array.from({ length: 40 }, (_, part) => partOf(i, part)).join('\n')
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    onDisk.set(path, { bytes: Buffer.byteLength(text) })
  }
  return onDisk
}

const partOf = (i: number, part: number): string =>
  part === 0
    ? `export function handler${i}(items: readonly number[]): number {\n  return items.length\n}\n`
    : `/** Rounds the total of invoice ${part}. */\nexport const step${part} = (amount: number, rate: number) => {\n  const total = amount * rate + ${i}\n  return Math.round(total)\n}\n`
