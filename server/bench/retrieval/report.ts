// Prints the retrieval figures.
import {
  meanOf,
  type Quality,
  type RetrievalLine,
  type RetrievalReport,
  type SearchMethod,
} from './measure.ts'

export function retrievalText(report: RetrievalReport, table: (rows: string[][]) => string): string {
  const { lines, microsPerText, charactersPerText, megabytesPerSecond } = report
  const rows = lines.map((line) => rowOf(`${line.name} (${line.language})`, line, line.weights.join(' ')))
  const all = WAYS.map((way) => [way, meanOf(lines, way)] as const)
  const queries = lines.reduce((sum, line) => sum + line.queries, 0)
  const mean = { queries, ...(Object.fromEntries(all) as Record<SearchMethod, Quality>) }
  const worse = lines
    .filter(({ fused, identifiers }) => fused.mrr10 < identifiers.mrr10)
    .map(({ name }) => name)
  return [
    table([
      ['question → function', 'queries', ...WAYS, 'weights'],
      ...rows,
      rowOf('all, by query', mean, ''),
    ]),
    'each as MRR@10 / recall@10',
    targetLine(
      worse.length === 0,
      `fusion is at least as good as identifiers, except for: ${worse.join(', ') || 'none'}`,
    ),
    targetLine(
      mean.ranked.recall10 >= mean.fused.recall10,
      `recall@10 of the second ranking ${mean.ranked.recall10.toFixed(3)}, of the fusion ${mean.fused.recall10.toFixed(3)}`,
    ),
    targetLine(
      mean.vectors.mrr10 >= VECTORS_AIM,
      `vectors alone: ${mean.vectors.mrr10.toFixed(3)}, target ${VECTORS_AIM}`,
    ),
    `${microsPerText.toFixed(0)} µs a text of ${charactersPerText.toFixed(0)} characters, ${megabytesPerSecond.toFixed(1)} MB/s`,
  ].join('\n')
}

const WAYS: readonly SearchMethod[] = ['words', 'identifiers', 'vectors', 'fused', 'calibrated', 'ranked']
const VECTORS_AIM = 0.4

const targetLine = (isReached: boolean, text: string): string => `${isReached ? 'ok   ' : 'miss '}  ${text}`

const rowOf = (
  name: string,
  line: Pick<RetrievalLine, SearchMethod | 'queries'>,
  weights: string,
): string[] => [name, String(line.queries), ...WAYS.map((way) => both(line[way])), weights]

const both = ({ mrr10, recall10 }: Quality): string => `${mrr10.toFixed(3)} / ${recall10.toFixed(3)}`
