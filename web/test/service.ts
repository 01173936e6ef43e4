// The whole service at a secure address, as passkeys require, and its mails.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'

export type TestService = {
  server: TestServer
  origin: string
  /** Browser arguments to resolve the address. */
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

/** Below the ephemeral port range, so that no outgoing connection takes it first. */
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
