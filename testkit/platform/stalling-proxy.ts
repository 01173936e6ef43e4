// A way to a database that can be made to swallow everything: nothing is answered, and nothing is closed.
import { connect, createServer, type Socket } from 'node:net'
import { parseConnectionUrl } from '@cowrie/server/src/platform/db/connection-url.ts'

export type StallingProxy = {
  /** The URL of the same database, by this way. */
  readonly url: string
  /** From now on those who are connected hear nothing more; with `all`, nor do those who connect. */
  stall(all: boolean): void
  resume(): void
  readonly connections: number
  /** How many there have been. */
  readonly accepted: number
  /** What clients have sent, packet by packet, since this was last emptied. */
  readonly packets: Buffer[]
  close(): void
}

export async function openStallingProxy(url: string): Promise<StallingProxy> {
  const { hosts, user, password, database } = parseConnectionUrl(url)
  const { host = '', port = 0 } = hosts[0] ?? {}
  const stuck = new WeakSet<Socket>()
  const sockets = new Set<Socket>()
  let swallowsAll = false
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
        if (!stuck.has(inside) && !swallowsAll) to.write(bytes)
      })
      // A lost connection is told by its close.
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
      swallowsAll = all
      for (const socket of sockets) stuck.add(socket)
    },
    resume() {
      swallowsAll = false
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
