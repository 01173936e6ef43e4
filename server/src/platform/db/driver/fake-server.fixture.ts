// A fake server for what a real one seldom does: it speaks just enough of the protocol to let a client in.
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type FakeServer = { readonly port: number; readonly accepted: number; close(): void }

export const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
export const WELCOME = message('R', Buffer.alloc(4))
export const READY = message('Z', Buffer.from('I'))
export const parameter = (name: string, value: string): Buffer =>
  message('S', Buffer.from(`${name}\0${value}\0`))

export async function openFakeServer(onConnection: (socket: Socket) => void): Promise<FakeServer> {
  const sockets = new Set<Socket>()
  let accepted = 0
  const server = createServer((socket) => {
    accepted++
    sockets.add(socket)
    // A lost connection is told by its close.
    onConnection(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    get accepted() {
      return accepted
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
