// A bad network between a client and the service: slow, jumpy, narrow, and with connections that break or die in silence.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What one connection meets. */
export type Weather = {
  /** Each way. */
  readonly latencyMs?: number
  /** Up to so much more, different for every piece; pieces keep their order. */
  readonly jitterMs?: number
  readonly bytesPerSecond?: number
  /** What happens once so many bytes of the answer have come through: a reset, or nothing ever again, on an open connection. */
  readonly answer?: { readonly afterBytes: number; readonly end: 'reset' | 'silence' }
  /** What becomes of the request: it is lost, and nobody says so. */
  readonly request?: 'lost'
}

export type BadNetwork = {
  readonly url: string
  /** On how many connections something was asked. */
  readonly asked: number
  close(): Promise<void>
}

const PIECE_BYTES = 512

/** Each connection gets the next weather, and those after the last one good weather. */
export async function startBadNetwork(target: string, ...weathers: Weather[]): Promise<BadNetwork> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let asked = 0
  const server = createServer((near) => {
    keep(near)
    // A client may open connections that it does not need; the weather is for those on which it asks.
    near.once('readable', () => {
      if (near.readableLength > 0) join(near, weathers[asked] ?? {}, ++asked)
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

  function join(near: Socket, weather: Weather, seed: number): void {
    const far = connect(Number(port), hostname)
    keep(far)
    let isSilent = weather.request === 'lost'
    let left = weather.answer?.afterBytes ?? Number.POSITIVE_INFINITY
    near.on('close', () => far.destroy())
    far.on('close', () => {
      if (!isSilent) near.destroySoon()
    })
    passOn(near, weather, seed, (piece) => {
      if (weather.request !== 'lost') far.write(piece)
    })
    passOn(far, weather, seed, (piece) => {
      if (isSilent || near.destroyed) return
      if (piece.byteLength < left) {
        left -= piece.byteLength
        near.write(piece)
        return
      }
      isSilent = true
      near.write(piece.subarray(0, left), () => {
        if (weather.answer?.end === 'reset') near.resetAndDestroy()
      })
    })
  }
}

/** Gives what a socket says to `take`, as late and as slowly as the weather has it. */
function passOn(from: Socket, weather: Weather, seed: number, take: (piece: Buffer) => void): void {
  const { latencyMs = 0, jitterMs = 0, bytesPerSecond } = weather
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

/** The same jumps at every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
