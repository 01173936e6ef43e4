// A customer asks the service over HTTP, and the answer is judged: what is refused must be what was to be refused.
import type { Reply } from '@cowrie/testkit/harness/harness.ts'
import { type SimOrg, Violation } from '../org.ts'
import type { World } from '../world.ts'

export type ApiAnswer = Reply & { readonly code: string }

/** `ok` for success, else the code of the refusal. */
export async function sendRequest(
  world: World,
  life: SimOrg,
  method: string,
  path: string,
  { body, key }: { body?: object; key?: string } = {},
): Promise<ApiAnswer> {
  const server = world.replicas[life.random() < 0.5 ? 0 : 1]
  const reply = await server.call<{ code?: string }>(method, path, {
    as: life.owner,
    ...(body && { body }),
    ...(key && { headers: { 'idempotency-key': key } }),
  })
  const code = reply.status === 200 ? 'ok' : String(reply.body.code ?? reply.status)
  life.note(
    `${world.clock.now().toISOString()} ${method} ${path} ${toText(body ?? {})} → ${reply.status} ${reply.text.slice(0, 160).replaceAll('\n', ' ')}`,
  )
  world.tally.add(`answers ${code}`)
  if (reply.status >= 500 && code !== 'rail_unavailable')
    throw life.violation(`${method} ${path} was answered ${reply.status}: ${reply.text}`)
  return { ...reply, code }
}

export function expectCode(life: SimOrg, answer: ApiAnswer, expected: readonly string[], what: string): void {
  if (!expected.includes(answer.code))
    throw life.violation(
      `${what} was answered ${answer.code} where ${expected.join(' or ')} was to come: ${answer.text}`,
    )
}

export const toText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}` : each))

/** As the wire has it. */
export const minor = (value: unknown): bigint => {
  if (typeof value === 'bigint' || typeof value === 'number') return BigInt(value)
  throw new Violation(`${String(value)} is no amount of money`)
}
