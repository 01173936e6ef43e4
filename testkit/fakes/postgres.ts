// A fake PostgreSQL server for behaviour that a real one rarely shows. It implements just enough of the protocol for a login.
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type FakeServer = {
  readonly port: number
  readonly accepted: number
  readonly open: number
  close(): void
}

export const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
export const WELCOME = message('R', Buffer.alloc(4))
export const READY = message('Z', Buffer.from('I'))
export const parameter = (name: string, value: string): Buffer =>
  message('S', Buffer.from(`${name}\0${value}\0`))

export const complete = (tag: string): Buffer => message('C', Buffer.from(`${tag}\0`))
export const refusal = (severity: string, code: string): Buffer =>
  message('E', Buffer.from(`S${severity}\0C${code}\0Mrefused by the fake server\0\0`))
/** ReadyForQuery: I outside a transaction, T inside one, E inside a failed one. */
export const ready = (status: 'I' | 'T' | 'E'): Buffer => message('Z', Buffer.from(status))

/** Accepts the login and answers each statement of the simple protocol. */
export function answerEach(socket: Socket, answer: (text: string) => readonly Buffer[]): void {
  let unread = Buffer.alloc(0)
  socket.once('data', () => {
    socket.write(Buffer.concat([WELCOME, READY]))
    socket.on('data', (bytes) => {
      unread = Buffer.concat([unread, bytes])
      while (unread.length > 4 && unread.length > unread.readInt32BE(1)) {
        const end = unread.readInt32BE(1) + 1
        if (unread[0] === 0x51) socket.write(Buffer.concat(answer(String(unread.subarray(5, end - 1)))))
        unread = unread.subarray(end)
      }
    })
  })
}

export async function openFakeServer(onConnection: (socket: Socket) => void): Promise<FakeServer> {
  const sockets = new Set<Socket>()
  let accepted = 0
  const server = createServer((socket) => {
    accepted++
    sockets.add(socket)
    // The close event of a lost connection follows its error.
    onConnection(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    get accepted() {
      return accepted
    },
    get open() {
      return sockets.size
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
