// A simulated bad network between a client and the service: latency, jitter, low bandwidth, resets and silent connections.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The conditions of one connection. */
export type ConnectionConditions = {
  /** One-way delay. */
  readonly latencyMs?: number
  /** Maximum additional random delay per chunk. Chunks keep their order. */
  readonly jitterMs?: number
  readonly bytesPerSecond?: number
  /** After this many bytes of the answer the connection is reset, or stays open without further data. */
  readonly answer?: { readonly afterBytes: number; readonly end: 'reset' | 'silence' }
  /** The request is dropped silently. */
  readonly request?: 'lost'
}

export type BadNetwork = {
  readonly url: string
  /** The number of connections with a request. */
  readonly asked: number
  close(): Promise<void>
}

const PIECE_BYTES = 512

/** Each connection with a request gets the next conditions. Connections after the last ones are unimpaired. */
export async function startBadNetwork(
  target: string,
  ...conditions: ConnectionConditions[]
): Promise<BadNetwork> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let asked = 0
  const server = createServer((near) => {
    keep(near)
    // A client may open connections that it does not use. Only those with data count.
    near.once('readable', () => {
      if (near.readableLength > 0) join(near, conditions[asked] ?? {}, ++asked)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }

  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  }

  function join(near: Socket, condition: ConnectionConditions, seed: number): void {
    const far = connect(Number(port), hostname)
    keep(far)
    let isSilent = condition.request === 'lost'
    let left = condition.answer?.afterBytes ?? Number.POSITIVE_INFINITY
    near.on('close', () => far.destroy())
    far.on('close', () => {
      if (!isSilent) near.destroySoon()
    })
    passOn(near, condition, seed, (piece) => {
      if (condition.request !== 'lost') far.write(piece)
    })
    passOn(far, condition, seed, (piece) => {
      if (isSilent || near.destroyed) return
      if (piece.byteLength < left) {
        left -= piece.byteLength
        near.write(piece)
        return
      }
      isSilent = true
      near.write(piece.subarray(0, left), () => {
        if (condition.answer?.end === 'reset') near.resetAndDestroy()
      })
    })
  }
}

/** Passes the data of a socket to `take` with the delay and bandwidth of the connection. */
function passOn(
  from: Socket,
  condition: ConnectionConditions,
  seed: number,
  take: (piece: Buffer) => void,
): void {
  const { latencyMs = 0, jitterMs = 0, bytesPerSecond } = condition
  if (latencyMs + jitterMs === 0 && bytesPerSecond === undefined) return void from.on('data', take)
  const random = seeded(seed)
  let freeAtMs = 0
  let order = Promise.resolve()
  from.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES)
      const sendMs = bytesPerSecond === undefined ? 0 : (piece.byteLength / bytesPerSecond) * 1000
      freeAtMs = Math.max(freeAtMs, performance.now() + latencyMs + random() * jitterMs) + sendMs
      const arriving = new Promise<void>((resolve) => setTimeout(resolve, freeAtMs - performance.now()))
      order = order.then(() => arriving).then(() => take(piece))
    }
  })
}

/** The same random delays in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
