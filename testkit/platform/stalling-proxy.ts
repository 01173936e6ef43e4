// A TCP proxy to a database that can drop all data: nothing is answered, and no connection is closed.
import { connect, createServer, type Socket } from 'node:net'
import { parseConnectionUrl } from '@cowrie/server/src/platform/db/connection-url.ts'

export type StallingProxy = {
  /** The URL of the database through the proxy. */
  readonly url: string
  /** Drops all data of current connections; with `all`, also of new connections. */
  stall(all: boolean): void
  resume(): void
  readonly connections: number
  /** The total number of accepted connections. */
  readonly accepted: number
  /** The packets that clients have sent. Tests may empty the list. */
  readonly packets: Buffer[]
  close(): void
}

export async function openStallingProxy(url: string): Promise<StallingProxy> {
  const { hosts, user, password, database } = parseConnectionUrl(url)
  const { host = '', port = 0 } = hosts[0] ?? {}
  const stalled = new WeakSet<Socket>()
  const sockets = new Set<Socket>()
  let stallsAll = false
  let accepted = 0
  const packets: Buffer[] = []

  const server = createServer((inside) => {
    accepted++
    const outside = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const [from, to] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (from === inside) packets.push(bytes)
        if (!stalled.has(inside) && !stallsAll) to.write(bytes)
      })
      // The close event of a lost connection follows its error.
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const listening = server.address()
  const ownPort = typeof listening === 'object' ? listening?.port : undefined

  return {
    url: `postgres://${user}${password ? `:${password}` : ''}@127.0.0.1:${ownPort}/${database}`,
    packets,
    stall(all) {
      stallsAll = all
      for (const socket of sockets) stalled.add(socket)
    },
    resume() {
      stallsAll = false
    },
    get connections() {
      return sockets.size / 2
    },
    get accepted() {
      return accepted
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
