// The count and duration of requests. The client library checks and hashes the labels at every observation, so the two metrics of
// the hot path count in plain numbers.

export type RequestMetrics = {
  /** The caller bounds the number of different labels. */
  count(route: string, method: string, status: number, seconds: number): void
  /** In the text format of Prometheus. */
  exposition(): string
}

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const COUNT = 'cowrie_http_requests_total'
const SECONDS = 'cowrie_http_request_seconds'

/** The requests of one route and method. */
type Series = {
  readonly labels: string
  readonly byStatus: Map<number, number>
  /** Requests up to the bound of each bucket and above that of the one before. The last bucket has no bound. */
  readonly buckets: number[]
  seconds: number
}

export function createRequestMetrics(): RequestMetrics {
  const byRoute = new Map<string, Map<string, Series>>()

  function seriesOf(route: string, method: string): Series {
    const byMethod = byRoute.get(route) ?? new Map<string, Series>()
    byRoute.set(route, byMethod)
    const labels = `route="${route}",method="${method}"`
    const series = { labels, byStatus: new Map(), buckets: new Array(BUCKETS.length + 1).fill(0), seconds: 0 }
    byMethod.set(method, series)
    return series
  }

  return {
    count(route, method, status, seconds) {
      const series = byRoute.get(route)?.get(method) ?? seriesOf(route, method)
      series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1)
      series.seconds += seconds
      let bucket = 0
      while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] as number)) bucket++
      series.buckets[bucket] = (series.buckets[bucket] as number) + 1
    },

    exposition() {
      const all = [...byRoute.values()].flatMap((byMethod) => [...byMethod.values()])
      return [
        `# HELP ${COUNT} Requests answered.`,
        `# TYPE ${COUNT} counter`,
        ...all.flatMap(countLines),
        '',
        `# HELP ${SECONDS} Time to answer.`,
        `# TYPE ${SECONDS} histogram`,
        ...all.flatMap(durationLines),
        '',
      ].join('\n')
    },
  }
}

const countLines = ({ labels, byStatus }: Series): string[] =>
  [...byStatus].map(([status, count]) => `${COUNT}{${labels},status="${status}"} ${count}`)

/** Buckets are cumulative in this format. */
function durationLines({ labels, buckets, seconds }: Series): string[] {
  let total = 0
  const lines = buckets.map((count, at) => {
    total += count
    return `${SECONDS}_bucket{le="${BUCKETS[at] ?? '+Inf'}",${labels}} ${total}`
  })
  return [...lines, `${SECONDS}_sum{${labels}} ${seconds}`, `${SECONDS}_count{${labels}} ${total}`]
}
