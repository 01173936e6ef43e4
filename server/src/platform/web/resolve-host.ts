// Resolves host names. Public names use a DNS resolver that blocks no thread, because their name servers may be slow.
// Allowlisted names may also be in the hosts file of the machine.
import { lookup, Resolver } from 'node:dns/promises'
import type { Destination } from './destination.ts'

/** All current addresses of a host; empty for an unknown name. */
export type ResolveHost = (to: Destination, signal: AbortSignal) => Promise<readonly string[]>

const TRY_MS = 1_000
const TRIES = 2

export const resolveHost: ResolveHost = async ({ host, isAllowlisted }, signal) => {
  if (!isAllowlisted) return resolveWith(new Resolver({ timeout: TRY_MS, tries: TRIES }), host, signal)
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

export async function resolveWith(resolver: Resolver, host: string, signal: AbortSignal): Promise<string[]> {
  const stop = () => resolver.cancel()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
