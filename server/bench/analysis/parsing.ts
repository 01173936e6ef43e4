// Compares the cost of parsing TypeScript with the former grammars (tree-sitter-wasms with V8 flags).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from '../processes.ts'
import type { ParseCost, ParseOrder } from './parsing-process.ts'

export type ParsingReport = {
  readonly ours: ParseCost
  /** Null if the package could not be installed. */
  readonly former: ParseCost | null
  /** The former grammars without the V8 flags that limited their memory. */
  readonly formerOptimised: ParseCost | null
}

export const PEAK_BYTES_MAX = 150e6

const FORMER = { 'tree-sitter-wasms': '0.1.13', 'web-tree-sitter': '0.25.10' }
const FLAGS = ['--liftoff', '--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering']
const PARSE_MS = 300_000

export async function measureParsing(quick: boolean): Promise<ParsingReport> {
  const former = installFormer()
  return {
    ours: await parseIn({ quick }),
    former: former ? await parseIn({ former, quick }, FLAGS) : null,
    formerOptimised: former ? await parseIn({ former, quick }) : null,
  }
}

export async function parseIn(order: ParseOrder, flags: string[] = []): Promise<ParseCost> {
  const parser = start('analysis/parsing-process.ts', {}, flags)
  try {
    return await parser.ask<ParseCost>(order, PARSE_MS)
  } finally {
    await parser.stop()
  }
}

function installFormer(): string | null {
  const dir = join(tmpdir(), 'cowrie-bench-grammars')
  if (existsSync(join(dir, 'node_modules', 'tree-sitter-wasms'))) return dir
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ private: true, dependencies: FORMER }))
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: dir,
    stdio: 'ignore',
  })
  return status === 0 ? dir : null
}

export function parsingText(
  { ours, former, formerOptimised }: ParsingReport,
  table: (rows: string[][]) => string,
): string {
  const row = (name: string, of: ParseCost | null): string[] => [
    name,
    ...(of
      ? [of.firstMicros / 1e3, of.megabyteMicros / 1e3, of.peakGrowthBytes / 1e6].map((value) =>
          value.toFixed(0),
        )
      : ['', '', '']),
    of ? (of.firstMicros / ours.firstMicros).toFixed(2) : '',
    of ? (of.megabyteMicros / ours.megabyteMicros).toFixed(2) : 'not installed',
  ]
  const isSmall = ours.peakGrowthBytes < PEAK_BYTES_MAX
  return [
    table([
      [
        'parsing TypeScript',
        'load and first file, CPU ms',
        'then CPU ms per MB',
        'peak MB',
        'first / ours',
        'MB / ours',
      ],
      row('ours', ours),
      row('tree-sitter-wasms with V8 flags', former),
      row('tree-sitter-wasms without flags', formerOptimised),
    ]),
    `${isSmall ? 'ok   ' : 'miss '}  peak ${(ours.peakGrowthBytes / 1e6).toFixed(0)} MB, target below ${PEAK_BYTES_MAX / 1e6} MB`,
  ].join('\n')
}
