// Creates clients of the service. Loaded after the prompt of a session is shown.
import { type Client, createClient } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import { UsageError } from '../errors.ts'
import { VERSION } from '../version.ts'
import type { KeySource, Service } from './service.ts'

/** The clients of a command. */
export function clientsOf(
  { baseUrl, key, source }: Service,
  { timeoutMs, language }: { timeoutMs: number | undefined; language: string | undefined },
): Pick<Context, 'client' | 'connect' | 'connectOver'> {
  return {
    client: connect(baseUrl, key, source, timeoutMs, language),
    connect: (other) => connect(baseUrl, other, null, timeoutMs, language),
    connectOver: (transport, other) => connect(baseUrl, other ?? key, source, timeoutMs, language, transport),
  }
}

export function connect(
  baseUrl: string,
  key: string | undefined,
  source: KeySource,
  timeoutMs: number | undefined,
  language?: string,
  over?: typeof fetch,
): Client {
  const headers = {
    'user-agent': `cowrie-cli/${VERSION}`,
    ...(language !== undefined && /^[a-z]{2}$/.test(language) && { 'accept-language': language }),
  }
  try {
    return createClient({ baseUrl, key, timeoutMs, headers, fetch: over })
  } catch (error) {
    if (error instanceof TypeError)
      throw new UsageError(
        `${error.message.replace(/^key/, source === 'environment' ? 'COWRIE_API_KEY' : 'The key').replace(/^baseUrl/, 'The base URL')}.`,
      )
    throw error
  }
}
