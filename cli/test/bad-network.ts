// A proxy between the CLI and the service that breaks connections on demand.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type BadNetwork = {
  readonly url: string
  /** Breaks the connection after the next answer with this text was passed on; with `before`, instead of it. */
  cut(answer: string, options?: Partial<AnswerCut>): void
  /** Accepts connections again. */
  up(): void
  /** The number of broken connections. */
  readonly cuts: number
  close(): Promise<void>
}

/** `down`: no connections are accepted afterwards. */
type AnswerCut = { readonly before: boolean; readonly down: boolean }

export async function startBadNetwork(target: string): Promise<BadNetwork> {
  const { port, hostname } = new URL(target)
  const plannedCuts: (AnswerCut & { answer: string })[] = []
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
    let received = ''
    near.pipe(far)
    near.on('data', () => {
      received = ''
    })
    far.on('data', (chunk: Buffer) => {
      received = (received + chunk.toString('utf8')).slice(-100_000)
      const at = plannedCuts.findIndex(({ answer }) => received.includes(answer))
      if (at < 0) return void near.write(chunk)
      const [cut] = plannedCuts.splice(at, 1)
      cuts++
      isDown = cut?.down ?? false
      // Idle keep-alive connections are closed too.
      if (isDown) for (const socket of sockets) if (socket !== near && socket !== far) socket.destroy()
      if (cut?.before) near.resetAndDestroy()
      else near.write(chunk, () => near.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: (answer, { before = false, down = false } = {}) => void plannedCuts.push({ answer, before, down }),
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
