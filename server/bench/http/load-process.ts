// The load generator: raw sockets send prepared bytes, one request at a time per connection.
import { connect, type Socket } from 'node:net'
import { answer } from '../processes.ts'
import { UNIQUE } from './requests.ts'

export type LoadOrder = {
  port: number
  /** Distributed over the connections round-robin. */
  requests: string[]
  connections: number
  forMs: number
  /** The rate of all connections together. A late answer delays later requests, and its wait counts. Default: as fast as possible. */
  perSecond?: number
}
export type LoadResult = {
  requests: number
  seconds: number
  p50Ms: number
  p99Ms: number
  failures: number
  /** The start of the first answer without status 200. */
  firstFailure: string | null
}

const SAMPLES_MAX = 500_000
const HEAD_END = Buffer.from('\r\n\r\n')

answer(({ order }: { order: LoadOrder }) => run(order))

async function run({ port, requests, connections, forMs, perSecond }: LoadOrder): Promise<LoadResult> {
  const latenciesMs: number[] = []
  const load: LoadResult = { requests: 0, seconds: 0, p50Ms: 0, p99Ms: 0, failures: 0, firstFailure: null }
  const run = { isOver: false, prefix: Math.random().toString(36).slice(2, 8).padEnd(6, 'x'), sent: 0 }

  const intervalMs = perSecond === undefined ? 0 : (connections * 1000) / perSecond
  const startMs = performance.now()
  const timer = setTimeout(() => {
    run.isOver = true
  }, forMs)
  await Promise.all(
    Array.from({ length: connections }, (_, i) =>
      sendRepeatedly(requests[i % requests.length] ?? '', (i / connections) * intervalMs),
    ),
  )
  clearTimeout(timer)
  load.seconds = (performance.now() - startMs) / 1000
  const sorted = Float64Array.from(latenciesMs).sort()
  load.p50Ms = sorted[Math.floor(sorted.length * 0.5)] ?? 0
  load.p99Ms = sorted[Math.floor(sorted.length * 0.99)] ?? 0
  return load

  /** One connection. It sends the next request after it has read the whole answer, and not before its turn. */
  function sendRepeatedly(text: string, firstMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const bytes = Buffer.from(text, 'latin1')
      const uniqueAt = bytes.indexOf(UNIQUE)
      let sentMs = 0
      let dueMs = startMs + firstMs - intervalMs
      let pending: Buffer | null = null
      const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, sendInTurn)
      socket.on('error', reject)
      socket.on('close', () => resolve())
      socket.on('data', (chunk) => {
        pending = pending ? Buffer.concat([pending, chunk]) : chunk
        const bodyAt = pending.indexOf(HEAD_END)
        if (bodyAt < 0) return
        const head = pending.toString('latin1', 0, bodyAt)
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
        if (pending.length < bodyAt + HEAD_END.length + length) return
        recordAnswer(head, pending)
        pending = null
        if (run.isOver) socket.end()
        else sendInTurn()
      })

      function sendInTurn(): void {
        dueMs += intervalMs
        const earlyMs = intervalMs === 0 ? 0 : dueMs - performance.now()
        if (earlyMs <= 0) send()
        else setTimeout(() => (run.isOver ? socket.end() : send()), earlyMs)
      }

      function send(): void {
        run.sent++
        if (uniqueAt >= 0) bytes.write(run.prefix + String(run.sent).padStart(10, '0'), uniqueAt, 'latin1')
        // With a rate, the wait for a late answer before it counts too.
        sentMs = intervalMs === 0 ? performance.now() : Math.min(dueMs, performance.now())
        socket.write(bytes)
      }

      function recordAnswer(head: string, whole: Buffer): void {
        load.requests++
        if (latenciesMs.length < SAMPLES_MAX) latenciesMs.push(performance.now() - sentMs)
        if (head.startsWith('HTTP/1.1 200')) return
        load.failures++
        load.firstFailure ??= whole.toString('utf8').slice(0, 1_000)
      }
    })
  }
}
