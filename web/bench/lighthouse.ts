// Lighthouse scores. The package is large and used only here, so it is installed on first use.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium } from '@cowrie/testkit/harness/chromium.ts'

const VERSION = '13.5.0'
const HOME = fileURLToPath(new URL('../.cache/lighthouse/', import.meta.url))
const ROUNDS = 3

export type Marks = { performance: number; accessibility: number; bestPractices: number }

/** The median of several runs. Null if Lighthouse is not available. */
export function lighthouse(address: string): Marks | null {
  const tool = join(HOME, 'node_modules/lighthouse/cli/index.js')
  if (!existsSync(tool)) {
    mkdirSync(HOME, { recursive: true })
    spawnSync(
      'npm',
      ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', HOME, `lighthouse@${VERSION}`],
      {
        stdio: 'ignore',
      },
    )
    if (!existsSync(tool)) return null
  }
  const rounds = Array.from({ length: ROUNDS }, () => round(tool, address)).filter((marks) => marks !== null)
  if (rounds.length === 0) return null
  const median = (name: keyof Marks): number =>
    rounds.map((marks) => marks[name]).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0
  return {
    performance: median('performance'),
    accessibility: median('accessibility'),
    bestPractices: median('bestPractices'),
  }
}

function round(tool: string, address: string): Marks | null {
  const report = join(HOME, 'report.json')
  rmSync(report, { force: true })
  spawnSync(
    process.execPath,
    [
      tool,
      address,
      '--quiet',
      '--output=json',
      `--output-path=${report}`,
      '--only-categories=performance,accessibility,best-practices',
      '--chrome-flags=--headless --no-sandbox --disable-gpu',
      '--no-enable-error-reporting',
    ],
    { stdio: 'ignore', env: { ...process.env, CHROME_PATH: findChromium() }, timeout: 180_000 },
  )
  if (!existsSync(report)) return null
  const { categories } = JSON.parse(readFileSync(report, 'utf8')) as {
    categories: Record<string, { score: number | null }>
  }
  const mark = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  return {
    performance: mark('performance'),
    accessibility: mark('accessibility'),
    bestPractices: mark('best-practices'),
  }
}
