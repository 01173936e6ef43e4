// One connection to a database that may stop answering without a word: this side can cut it. The driver alone would wait for
// the other side to agree.
import { Socket } from 'node:net'
import { openPool, type Pool, type PoolOptions } from './statements.ts'

export type Wire = {
  /** Of one connection, opened when it is first needed. */
  readonly pool: Pool
  /** Whoever waits for an answer is refused as after a lost connection. The next one connects anew. */
  cut(): void
  close(): Promise<void>
}

/** What the driver says about where to connect to: a path, or hosts with their ports. */
type Destination = { host: string[]; port: number[]; path: string | false }

export function openWire(url: string, options: Omit<PoolOptions, 'max' | 'socket'>): Wire {
  let socket: Socket | undefined
  let turn = 0
  const connect = ({ host, port, path }: Destination): Socket => {
    const n = turn++ % host.length
    const made = Object.assign(new Socket(), { host: host[n], port: port[n] })
    socket = made
    // A moment later, when the driver listens: it writes at once, and the socket keeps that until it is connected.
    setImmediate(() => (path ? made.connect(path) : made.connect(port[n] ?? 5432, host[n] ?? 'localhost')))
    return made
  }
  const pool = openPool(url, { ...options, max: 1, socket: connect })
  const cut = () => void socket?.destroy()
  return {
    pool,
    cut,
    async close() {
      await pool.end({ timeout: 5 })
      cut()
    },
  }
}
