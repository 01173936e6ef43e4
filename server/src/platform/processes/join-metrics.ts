// Joins the metrics of several processes: each series gets the label `worker`, and each metric is described once.
import type { WorkerMetrics } from './messages.ts'

/** `expected` is the number of processes that should have answered. */
export function joinMetrics(all: readonly WorkerMetrics[], expected: number): string {
  const metrics = new Map<string, { readonly head: string[]; readonly series: string[] }>()
  for (const { worker, text } of all) {
    let current: { readonly head: string[]; readonly series: string[] } | undefined
    const isFirst = new Set<string>()
    for (const line of text.split('\n')) {
      const name = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1]
      if (name !== undefined) {
        current = metrics.get(name)
        if (!current) {
          current = { head: [], series: [] }
          metrics.set(name, current)
          isFirst.add(name)
        }
        if (isFirst.has(name)) current.head.push(line)
      } else if (line !== '') current?.series.push(withWorker(line, worker))
    }
  }
  const own = [
    '# HELP cowrie_workers Processes of this replica.',
    '# TYPE cowrie_workers gauge',
    `cowrie_workers{state="expected"} ${expected}`,
    `cowrie_workers{state="answering"} ${all.length}`,
  ]
  return `${[...metrics.values().flatMap(({ head, series }) => [...head, ...series]), ...own].join('\n')}\n`
}

/** `name{a="b"} 1` or `name 1`. */
function withWorker(line: string, worker: string): string {
  const [, name = '', labels = ''] = /^([\w:]+)(?:\{(.*)\})? /.exec(line) ?? []
  const value = line.slice(line.lastIndexOf(' '))
  return `${name}{worker="${worker}"${labels === '' ? '' : `,${labels}`}}${value}`
}
