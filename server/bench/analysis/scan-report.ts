// Prints the scan figures.
import type { ScanBenchReport, ScanQuality, ScanSpeed } from './scan.ts'

const PRECISION_AIM = 0.95
const NOISE_AIM = 0.1
const SPEED_AIM = 1
const SHOWN_MAX = 12

export function scanText(report: ScanBenchReport, table: (rows: string[][]) => string): string {
  const { quality, healthy, speeds } = report
  const all = total('all', quality)
  const noise = healthy.findings.length / (healthy.lines / 1_000)
  const speed = speedOf(overall(speeds))
  return [
    table([
      ['examples', 'bad', 'good', 'found', 'false alarms', 'precision', 'recall'],
      ...[...quality, all].map(qualityRow),
    ]),
    targetLine(
      precisionOf(all) >= PRECISION_AIM,
      `precision ${precisionOf(all).toFixed(3)}, target ${PRECISION_AIM}`,
    ),
    '',
    `installed packages without known faults: ${healthy.files} files, ${healthy.lines} lines, ${healthy.findings.length} findings, ${healthy.unread} files not read in full`,
    ...healthy.findings.slice(0, SHOWN_MAX).map((each) => `       ${each}`),
    targetLine(
      noise < NOISE_AIM,
      `${noise.toFixed(3)} findings per thousand lines, target below ${NOISE_AIM}`,
    ),
    '',
    table([
      ['scanning', 'kB', 'CPU s', 'MB/s'],
      ...[...speeds, overall(speeds)].map(({ name, bytes, cpuSeconds }) => [
        name,
        String(Math.round(bytes / 1_000)),
        cpuSeconds.toFixed(2),
        speedOf({ name, bytes, cpuSeconds }).toFixed(2),
      ]),
    ]),
    targetLine(speed >= SPEED_AIM, `${speed.toFixed(2)} MB/s of CPU time, target ${SPEED_AIM}`),
  ].join('\n')
}

const targetLine = (isReached: boolean, text: string): string => `${isReached ? 'ok   ' : 'miss '}  ${text}`

const precisionOf = ({ found, falseAlarms }: ScanQuality): number => found / Math.max(1, found + falseAlarms)

const qualityRow = (line: ScanQuality): string[] => [
  line.area,
  String(line.bad),
  String(line.good),
  String(line.found),
  String(line.falseAlarms),
  precisionOf(line).toFixed(3),
  (line.found / Math.max(1, line.bad)).toFixed(3),
]

function total(area: string, lines: readonly ScanQuality[]): ScanQuality {
  const sum = (of: (line: ScanQuality) => number) => lines.reduce((before, line) => before + of(line), 0)
  return {
    area,
    bad: sum(({ bad }) => bad),
    good: sum(({ good }) => good),
    found: sum(({ found }) => found),
    falseAlarms: sum(({ falseAlarms }) => falseAlarms),
  }
}

const speedOf = ({ bytes, cpuSeconds }: ScanSpeed): number => bytes / 1e6 / cpuSeconds

const overall = (speeds: readonly ScanSpeed[]): ScanSpeed => ({
  name: 'all',
  bytes: speeds.reduce((sum, { bytes }) => sum + bytes, 0),
  cpuSeconds: speeds.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
})
