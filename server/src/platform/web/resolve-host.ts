// What a name stands for. Strangers' names are asked for over the network without holding a thread of this process, since
// whoever answers for them may take his time; the operator's own may also stand in the machine's list of hosts.
import { lookup, Resolver } from 'node:dns/promises'
import type { Destination } from './destination.ts'

/** Every address a name has right now; none when nobody knows it. */
export type ResolveHost = (to: Destination, signal: AbortSignal) => Promise<readonly string[]>

const TRY_MS = 1_000
const TRIES = 2

export const resolveHost: ResolveHost = async ({ host, isAllowlisted: isOwn }, signal) => {
  if (!isOwn) return resolveWith(new Resolver({ timeout: TRY_MS, tries: TRIES }), host, signal)
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
