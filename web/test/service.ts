// The whole service at an address that browsers trust, as passkeys need it, and its mails.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'

export type TestService = {
  server: TestServer
  origin: string
  /** What a browser must be started with to find it. */
  flags?: readonly string[]
}

export async function startAtLocalhost(variables: Record<string, string> = {}): Promise<TestService> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = await startTestServer({
    variables: { PORT: String(port), HOST: '127.0.0.1', SERVICE_BASE_URL: origin, ...variables },
  })
  await server.service.listen()
  return { server, origin }
}

/** The link in the newest mail to an address. */
export async function mailedLink(server: TestServer, to: string): Promise<string> {
  await server.app.jobs.drain()
  const { body } = await server.call<{ mails: { subject: string; text: string }[] }>('GET', '/dev/outbox', {
    query: { to },
  })
  const link = /https?:\/\/\S+/.exec(body.mails[0]?.text ?? '')?.[0]
  if (!link) throw new Error(`no mail with a link has gone to ${to}`)
  return link
}

/** Below the ports that systems give to outgoing connections: none of those takes it before the service has it. */
async function freePort(): Promise<number> {
  for (let tries = 0; tries < 20; tries++) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new Error('20 ports on this machine are all taken')
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.on('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
