// A bad network between the command and the service: it passes everything on, and breaks a connection when a test says so.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type BadNetwork = {
  readonly url: string
  /** Breaks the next connection on which the service answers this, once it was passed on; in its place with `before`. */
  cut(answer: string, options?: Partial<AnswerCut>): void
  /** Takes connections again. */
  up(): void
  /** Connections that were broken. */
  readonly cuts: number
  close(): Promise<void>
}

/** `down`: from then on no connection is taken. */
type AnswerCut = { readonly before: boolean; readonly down: boolean }

export async function startBadNetwork(target: string): Promise<BadNetwork> {
  const { port, hostname } = new URL(target)
  const wanted: (AnswerCut & { answer: string })[] = []
  const sockets = new Set<Socket>()
  let cuts = 0
  let isDown = false
  const server = createServer((near) => {
    if (isDown) return void near.resetAndDestroy()
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
    let said = ''
    near.pipe(far)
    near.on('data', () => {
      said = ''
    })
    far.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-100_000)
      const at = wanted.findIndex(({ answer }) => said.includes(answer))
      if (at < 0) return void near.write(chunk)
      const [cut] = wanted.splice(at, 1)
      cuts++
      isDown = cut?.down ?? false
      // Of connections that are kept for later nothing is left either.
      if (isDown) for (const socket of sockets) if (socket !== near && socket !== far) socket.destroy()
      if (cut?.before) near.resetAndDestroy()
      else near.write(chunk, () => near.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: (answer, { before = false, down = false } = {}) => void wanted.push({ answer, before, down }),
    up() {
      isDown = false
    },
    get cuts() {
      return cuts
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
