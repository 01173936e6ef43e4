// Local web sites, a web client that connects only to them, and a manual timer, for tests.
import { createServer, type RequestListener } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createListener,
  isIP,
  type Server,
  Socket,
} from 'node:net'
import type { Dial } from '@cowrie/server/src/platform/web/connection.ts'
import type { Timer } from '@cowrie/server/src/platform/web/host-limiter.ts'
import { PageRefused, type WebLimits, type WebRules } from '@cowrie/server/src/platform/web/page.ts'
import { createPageFetcher } from '@cowrie/server/src/platform/web/web.ts'
import { WEB_ENVIRONMENT, type WebEnvironment } from '@cowrie/server/src/platform/web/web-environment.ts'
import { onTestFinished } from 'vitest'

export const USER_AGENT = 'CowrieResearch/1.0 (+https://cowrie.example/bot)'
export const unending = (): AbortSignal => new AbortController().signal

const portOf = (server: Server): number => (server.address() as AddressInfo).port

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return portOf(server)
}

/** A TCP server with a custom handler. */
export async function listener(speak: (socket: Socket) => void): Promise<number> {
  const server = createListener((socket) => {
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    speak(socket)
  })
  return listening(server)
}

export type Site = {
  readonly origin: string
  readonly port: number
  readonly requestedPaths: string[]
  readonly rules: WebRules
}

/** A site that the operator allows. Without `hasRobots`, its robots.txt is 404. */
export async function site(answer: RequestListener, { hasRobots = false } = {}): Promise<Site> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/robots.txt' && !hasRobots) response.writeHead(404).end()
    else answer(request, response)
  })
  onTestFinished(() => void server.closeAllConnections())
  const port = await listening(server)
  const rules = { allow: [`127.0.0.1:${port}`], userAgent: USER_AGENT }
  return { origin: `http://127.0.0.1:${port}`, port, requestedPaths: asked, rules }
}

/** Goes nowhere but to this machine. Of a name that also leads elsewhere, it takes the way that should be closed. */
const dial: Dial = (options) => {
  const { host = '', port } = options
  const answers = isIP(host) ? [host] : []
  if (!isIP(host))
    options.lookup?.(host, { all: true }, (_, found) => {
      for (const each of [found].flat()) answers.push(typeof each === 'string' ? each : each.address)
    })
  const inside = answers.filter((address) => address.startsWith('127.'))
  if (inside.length === answers.length) return connect(options)
  return inside[0] ? connect({ host: inside[0], port }) : nowhere()
}
/** A socket that fails immediately. */
export const nowhere = (): Socket => new Socket().destroy(new Error('tests do not connect to other machines'))

export function openTestWeb({
  limits,
  ...world
}: Partial<Omit<WebEnvironment, 'limits'>> & { limits?: Partial<WebLimits> } = {}) {
  return createPageFetcher({
    ...WEB_ENVIRONMENT,
    dial,
    ...world,
    limits: { ...WEB_ENVIRONMENT.limits, ...limits },
  })
}

/** The word for a failure; what is no refusal is shown as it is. */
export const refusal = (fetching: Promise<unknown>): Promise<unknown> =>
  fetching.then(
    () => null,
    (error: unknown) => (error instanceof PageRefused ? error.reason : error),
  )

export type HandTimer = Timer & { readonly pass: (ms: number) => Promise<void> }

/** A timer that tests advance. After each call it lets pending promises settle, because a call may start another timer. */
export function handTimer(): HandTimer {
  const calls = new Set<{ at: number; then: () => void }>()
  let now = 0
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    now: () => now,
    after: (ms, then) => {
      const call = { at: now + ms, then }
      calls.add(call)
      return () => void calls.delete(call)
    },
    pass: async (ms) => {
      const until = now + ms
      await settle()
      for (;;) {
        const [next] = [...calls].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
        if (!next) break
        calls.delete(next)
        now = next.at
        next.then()
        await settle()
      }
      now = until
    },
  }
}
