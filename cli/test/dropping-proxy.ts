// A proxy between the CLI and the service that cuts selected connections.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `whole`: the complete answer is discarded. A text: the connection is cut after it has passed. */
export type ConnectionDrop = 'whole' | { readonly after: string }

export type DroppingProxy = {
  readonly url: string
  /** The cuts of the next calls of this path, in order. */
  drop(path: string, ...cuts: ConnectionDrop[]): void
  /** Refuses all connections from the next call on. */
  disconnect(): void
  reconnect(): void
  /** Called paths, in order. */
  readonly called: string[]
  close(): Promise<void>
}

export async function startDroppingProxy(target: string): Promise<DroppingProxy> {
  const cuts = new Map<string, ConnectionDrop[]>()
  const called: string[] = []
  let isSevered = false
  const server = createServer((incoming, outgoing) => {
    const path = `${incoming.method} ${incoming.url?.split('?')[0]}`
    called.push(path)
    if (isSevered) incoming.socket.destroy()
    else pass(target, incoming, outgoing, cuts.get(path)?.shift())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    drop: (path, ...more) => void cuts.set(path, [...(cuts.get(path) ?? []), ...more]),
    disconnect: () => {
      isSevered = true
    },
    reconnect: () => {
      isSevered = false
    },
    called,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function pass(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  cut: ConnectionDrop | undefined,
): void {
  const { method = 'GET', url = '/', headers } = incoming
  const onward = request(new URL(url, target), { method, headers: { ...headers, connection: 'close' } })
  onward.on('error', () => incoming.socket.destroy())
  outgoing.on('close', () => onward.destroy())
  onward.on('response', (answer) => {
    answer.on('error', () => incoming.socket.destroy())
    if (cut === 'whole') {
      answer.resume().on('end', () => incoming.socket.destroy())
      return
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    let passed = ''
    answer.on('data', (chunk: Buffer) => {
      outgoing.write(chunk)
      if (!cut) return
      passed += chunk.toString()
      // Pending data is flushed first.
      if (passed.includes(cut.after)) outgoing.write('', () => incoming.socket.destroySoon())
    })
    answer.on('end', () => outgoing.end())
  })
  incoming.pipe(onward)
}
