// The whole service at an address that browsers trust, as passkeys need it, and its mails.
import { createServer } from 'node:net'
import { startTestServer, type TestServer } from '../../server/test/harness.ts'

export type TestService = { server: TestServer; origin: string }

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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
