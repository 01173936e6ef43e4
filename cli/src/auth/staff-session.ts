// A session of a person for one command: routes for staff and for roles refuse API keys.
import type { Client } from '@cowrie/sdk'
import type { Context, Option } from '../command.ts'
import { UsageError } from '../errors.ts'

/** For every command that calls staff routes. */
export const STAFF_OPTIONS: Readonly<Record<string, Option>> = {
  email: {
    type: 'string',
    placeholder: '<address>',
    summary:
      'Your staff address. The password and the code are asked for, or read from the first two lines of standard input.',
  },
}

/** For commands that need a person and their role in an organisation. */
export const PERSON_OPTIONS: Readonly<Record<string, Option>> = {
  email: {
    type: 'string',
    placeholder: '<address>',
    summary:
      'Your address. The password and the code are asked for, or read from the first two lines of standard input.',
  },
}

export const asStaff = <T>(context: Context, work: (client: Client) => Promise<T>): Promise<T> =>
  asPerson(context, work, 'Staff commands need --email with your staff address: API keys are no staff.')

/** Signs in, runs the work and signs out. The session is stored nowhere. */
export async function asPerson<T>(
  context: Context,
  work: (client: Client) => Promise<T>,
  missing = 'This command needs --email with your address: API keys cannot do it.',
): Promise<T> {
  const { values, connectOver, signal } = context
  if (typeof values.email !== 'string') throw new UsageError(missing)
  const client = connectOver(withCookies(fetch))
  await signIn(context, client, values.email)
  try {
    return await work(client)
  } finally {
    // The session also ends after Ctrl-C.
    await client.auth.logout({ signal: signal?.aborted ? undefined : signal, retries: 0 })
  }
}

async function signIn(context: Context, client: Client, email: string): Promise<void> {
  const { signal } = context
  const password = await readHidden(context, `Password of ${email}:`)
  const reply = await client.auth.login({ email, password }, { signal })
  if (!('mfaRequired' in reply)) return
  const code = await readHidden(context, 'Code of your authenticator app:')
  await client.auth.mfa.challenge({ challenge: reply.challenge, code: code.trim() }, { signal })
}

async function readHidden({ ask, machine, out }: Context, question: string): Promise<string> {
  const show = machine.isStdinTerminal ? machine.hideTyping() : null
  if (machine.isStdinTerminal && !show) out.warn('This terminal shows what you type.')
  try {
    const line = await ask.line(question)
    if (!line) throw new UsageError('Standard input ended before the password and the code.')
    return line
  } finally {
    show?.()
    if (show) out.note('')
  }
}

/** Keeps cookies like a browser, in place of a key. */
function withCookies(send: typeof fetch): typeof fetch {
  const cookies = new Map<string, string>()
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.delete('authorization')
    if (cookies.size > 0)
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await send(input, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0\b/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
}
