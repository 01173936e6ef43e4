// Prints the research figures.
import { ownMs, type ResearchBenchReport, type RunFigures } from './measure.ts'

const OWN_MS_AIM = 2_000

export function researchText(
  { runs, reading }: ResearchBenchReport,
  table: (rows: string[][]) => string,
): string {
  return [
    table([
      ['research', 'total s', 'waiting s', 'ours s', 'ours/total', 'CPU s', 'searches', 'pages', 'turns'],
      ...runs.map(runRow),
    ]),
    ...runs.map(targetLine),
    '',
    table([
      ['reading', 'kB', 'ms per page'],
      ...reading.map(({ what, bytes, msPerPage }) => [
        what,
        (bytes / 1_000).toFixed(1),
        msPerPage.toFixed(1),
      ]),
    ]),
  ].join('\n')
}

const runRow = (run: RunFigures): string[] => [
  run.depth,
  seconds(run.totalMs),
  seconds(run.waitedMs),
  seconds(ownMs(run)),
  (ownMs(run) / run.totalMs).toFixed(2),
  seconds(run.cpuMs),
  String(run.searches),
  String(run.pages),
  String(run.turns),
]

const targetLine = (run: RunFigures): string =>
  `${ownMs(run) < OWN_MS_AIM ? 'ok   ' : 'miss '}  ${run.depth}: ${seconds(ownMs(run))} s of processing, target below ${seconds(OWN_MS_AIM)} s`

const seconds = (ms: number): string => (ms / 1_000).toFixed(2)
