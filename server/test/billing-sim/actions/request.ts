// Sends requests of a customer and checks the result code.
import type { Reply } from '@cowrie/testkit/harness/harness.ts'
import { type SimOrg, Violation } from '../org.ts'
import type { World } from '../world.ts'

export type ApiAnswer = Reply & { readonly code: string }

/** `code` is `ok` for success, else the error code. */
export async function sendRequest(
  world: World,
  org: SimOrg,
  method: string,
  path: string,
  { body, key }: { body?: object; key?: string } = {},
): Promise<ApiAnswer> {
  const server = world.replicas[org.random() < 0.5 ? 0 : 1]
  const reply = await server.call<{ code?: string }>(method, path, {
    as: org.owner,
    ...(body && { body }),
    ...(key && { headers: { 'idempotency-key': key } }),
  })
  const code = reply.status === 200 ? 'ok' : String(reply.body.code ?? reply.status)
  org.note(
    `${world.clock.now().toISOString()} ${method} ${path} ${toText(body ?? {})} → ${reply.status} ${reply.text.slice(0, 160).replaceAll('\n', ' ')}`,
  )
  world.tally.add(`answers ${code}`)
  if (reply.status >= 500 && code !== 'rail_unavailable')
    throw org.violation(`${method} ${path} returned ${reply.status}: ${reply.text}`)
  return { ...reply, code }
}

export function expectCode(org: SimOrg, answer: ApiAnswer, expected: readonly string[], what: string): void {
  if (!expected.includes(answer.code))
    throw org.violation(`${what} returned ${answer.code}, expected ${expected.join(' or ')}: ${answer.text}`)
}

export const toText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}` : each))

/** Reads an amount from JSON. */
export const minor = (value: unknown): bigint => {
  if (typeof value === 'bigint' || typeof value === 'number') return BigInt(value)
  throw new Violation(`${String(value)} is not an amount`)
}
