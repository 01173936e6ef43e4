// cowrie mcp: connects a local MCP client to the tools of the service.

import { keyFor, serviceName } from '../../auth/credentials.ts'
import type { Command, Context } from '../../command.ts'
import { relay } from '../../mcp/relay.ts'

export const mcp: Command = {
  name: 'mcp',
  summary: 'Connect an editor or agent to the tools of the service (Model Context Protocol).',
  args: { min: 0, max: 0 },
  isKeyless: true,
  async run(context) {
    const { machine, out, signal, baseUrl } = context
    const key = await keyOf(context)
    await relay({
      input: machine.stdin(signal),
      // Standard output carries protocol messages only.
      say: (message) => out.raw(`${JSON.stringify(message)}\n`),
      complain: (sentence) => out.warn(sentence),
      sleep: machine.sleep,
      post: key === undefined ? null : postTo(`${baseUrl}/mcp`, key),
    }).catch((error: unknown) => {
      // Ctrl-C closes the input.
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
