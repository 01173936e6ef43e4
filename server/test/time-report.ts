// A vitest reporter: prints the time per project and the slowest files.
import type { Reporter, TestModule } from 'vitest/node'

const SLOWEST = 25
type Sums = { files: number; tests: number; ms: number }

export default class TimeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    process.stdout.write(`\n${formatTimes(modules.map(measured))}\n`)
  }
}

export type FileTime = { file: string; band: string; tests: number; ms: number }

const measured = (module: TestModule): FileTime => {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  return {
    file: module.relativeModuleId,
    band: module.project.name,
    tests: [...module.children.allTests()].length,
    ms: collectDuration + setupDuration + duration,
  }
}

export function formatTimes(files: readonly FileTime[]): string {
  const bands = new Map<string, Sums>()
  for (const { band, tests, ms } of files) {
    const sums = bands.get(band) ?? { files: 0, tests: 0, ms: 0 }
    bands.set(band, { files: sums.files + 1, tests: sums.tests + tests, ms: sums.ms + ms })
  }
  const slowest = files.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST)
  return [
    'Time of all workers, by project:',
    ...[...bands].map(
      ([band, { files, tests, ms }]) => `${seconds(ms)}  ${band} (${files} files, ${tests} tests)`,
    ),
    'Slowest files:',
    ...slowest.map(({ file, band, tests, ms }) => `${seconds(ms)}  ${file} (${band}, ${tests} tests)`),
  ].join('\n')
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`.padStart(9)
