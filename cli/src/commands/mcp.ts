// cowrie mcp: the tools of the service for a program on this computer that speaks the Model Context Protocol.
import type { Command, Context } from '../command.ts'
import { keyFor, serviceName } from '../credentials.ts'
import { relay } from '../mcp/relay.ts'

export const mcp: Command = {
  name: 'mcp',
  summary: 'Offer the tools of the service to an editor or agent, by the Model Context Protocol.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  async run(context) {
    const { machine, out, signal, baseUrl } = context
    const key = await keyOf(context)
    await relay({
      input: machine.stdin(signal),
      // The other end reads nothing but messages.
      say: (message) => out.raw(`${JSON.stringify(message)}\n`),
      complain: (sentence) => out.warn(sentence),
      sleep: machine.sleep,
      post: key === undefined ? null : postTo(`${baseUrl}/mcp`, key),
    }).catch((error: unknown) => {
      // Ctrl-C closes the input under us.
      if (!signal?.aborted) throw error
    })
  },
}

async function keyOf({
  credentials,
  env,
  baseUrl,
  org,
  keyFromEnvironment,
}: Context): Promise<string | undefined> {
  if (keyFromEnvironment) return env.COWRIE_API_KEY?.trim()
  return keyFor((await credentials?.readPrivate())?.services.get(serviceName(baseUrl)), org)?.key
}

const postTo =
  (address: string, key: string) =>
  (body: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> =>
    fetch(address, {
      method: 'POST',
      body,
      signal,
      redirect: 'error',
      headers: {
        ...headers,
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'user-agent': 'cowrie-cli',
      },
    })
