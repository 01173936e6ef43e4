// Connections to a service that can be cut, refused, or led to another service.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Relay = {
  readonly url: string
  /** Breaks all connections. New ones are accepted. */
  cut(): void
  /** Where new connections lead; null refuses them. Open ones are broken. */
  leadTo(target: string | null): void
  close(): Promise<void>
}

export async function startRelay(target: string): Promise<Relay> {
  let current: string | null = target
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    if (current === null) return void near.resetAndDestroy()
    const { port, hostname } = new URL(current)
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    leadTo(next) {
      current = next
      cut()
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
