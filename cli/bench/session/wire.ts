// A TCP proxy between a client and the service that counts the bytes in both directions.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Traffic = { readonly up: number; readonly down: number; readonly connections: number }

export type Wire = {
  readonly url: string
  traffic(): Traffic
  close(): Promise<void>
}

export async function openWire(port: number): Promise<Wire> {
  let up = 0
  let down = 0
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    connections++
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (bytes) => {
      up += bytes.length
    })
    far.on('data', (bytes) => {
      down += bytes.length
    })
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    traffic: () => ({ up, down, connections }),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
