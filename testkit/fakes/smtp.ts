// A real SMTP server on this machine for tests. It parses received mails and can reject them.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

type Envelope = { from: string; to: string[] }

export type FakeSmtp = {
  readonly url: string
  readonly received: { envelope: Envelope; mail: Email }[]
  /** The number of RCPT commands. */
  asked(): number
  start(): Promise<void>
  stop(): Promise<void>
}

export type SmtpBehaviour = {
  /** Codes to reject the next recipients with, in turn. */
  readonly recipient?: number[]
  /** Codes to reject the next contents with, in turn. */
  readonly data?: number[]
  /** Accepts connections and sends nothing. */
  readonly silent?: boolean
  /** Required to send. */
  readonly password?: string
}

/** Stops at the end of the test. */
export async function startFakeSmtp(behaviour: SmtpBehaviour = {}): Promise<FakeSmtp> {
  const smtp = await openFakeSmtp(behaviour)
  onTestFinished(smtp.stop)
  return smtp
}

/** For a whole file: the caller stops it. */
export async function openFakeSmtp({
  recipient = [],
  data = [],
  silent = false,
  password,
}: SmtpBehaviour = {}): Promise<FakeSmtp> {
  const received: FakeSmtp['received'] = []
  let asked = 0
  const options: SMTPServerOptions = {
    disabledCommands: password === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    authOptional: password === undefined,
    allowInsecureAuth: true,
    closeTimeout: 200,
    onAuth: (auth, _, done) =>
      auth.password === password ? done(null, { user: 'cowrie' }) : done(refusal(535)),
    onRcptTo(_, __, done) {
      asked++
      const code = recipient.shift()
      done(code === undefined ? null : refusal(code))
    },
    onData(stream, session, done) {
      void buffer(stream).then(async (raw) => {
        const code = data.shift()
        if (code !== undefined) return done(refusal(code))
        const { mailFrom, rcptTo } = session.envelope
        const envelope = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
        }
        received.push({ envelope, mail: await PostalMime.parse(raw) })
        return done()
      })
    },
  }

  let port = 0
  let close: () => Promise<void> = async () => undefined
  async function start(): Promise<void> {
    const open = silent ? listenSilently : (wanted: number) => listen(options, wanted)
    const opened = port === 0 ? await openSomewhere(open) : await open(port)
    port = opened.port
    close = opened.close
  }
  async function stop(): Promise<void> {
    await close()
    close = async () => undefined
  }
  await start()
  return { url: `smtp://127.0.0.1:${port}`, received, asked: () => asked, start, stop }
}

const refusal = (responseCode: number) => Object.assign(new Error('rejected by the test'), { responseCode })

type Opened = { port: number; close: () => Promise<void> }

/** Uses a port below the ephemeral range, so that no other process takes it while the server is stopped. */
async function openSomewhere(open: (port: number) => Promise<Opened>): Promise<Opened> {
  for (let tries = 1; ; tries++) {
    try {
      return await open(randomInt(10_000, 30_000))
    } catch (error) {
      if (tries === 20) throw error
    }
  }
}

function listen(options: SMTPServerOptions, wanted: number): Promise<Opened> {
  const server = new SMTPServer(options)
  // Client disconnects are part of these tests.
  server.on('error', () => undefined)
  return new Promise((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.server.address()
      const port = address !== null && typeof address === 'object' ? address.port : 0
      resolve({ port, close: () => new Promise((closed) => server.close(closed)) })
    })
  })
}

function listenSilently(wanted: number): Promise<Opened> {
  const sockets = new Set<{ destroy(): unknown }>()
  const server = createServer((socket) => void sockets.add(socket))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      const port = address !== null && typeof address === 'object' ? address.port : 0
      const close = () => {
        for (const socket of sockets) socket.destroy()
        return new Promise<void>((closed) => server.close(() => closed()))
      }
      resolve({ port, close })
    })
  })
}
