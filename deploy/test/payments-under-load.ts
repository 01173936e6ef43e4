// A customer who tops up continuously, retries as the documentation says, and records credits and errors that must not occur.
import { type Confirmations, signIn } from '../../server/chaos/customers.ts'

/** Errors that a client may retry with the same idempotency key. */
const RETRYABLE = new Set(['restarting', 'answer_lost', 'busy', 'idempotency_in_progress'])
const RETRY_MS = 50
const ATTEMPTS_MAX = 1_000

type Answer = { readonly status: number; readonly body: Record<string, unknown> }

export async function payContinuously(
  address: string,
  name: string,
  confirmed: Confirmations,
  errors: string[],
  isOver: () => boolean,
): Promise<void> {
  const service = { address: async () => address }
  const { bearer } = await signIn(service, confirmed, `${name}@example.com`)
  const post = async (path: string, key: string | null, body: object): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await send(`${address}${path}`, bearer, key, body)
      const code = String(answer.body.code)
      if (answer.status === 200 || attempt === ATTEMPTS_MAX || !RETRYABLE.has(code)) return answer
      confirmed.retries++
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  for (let n = 0; !isOver(); n++) {
    const started = await post('/wallet/topup', `${name}/${n}`, { amountMinor: 10_000 + n })
    const { reference } = started.body
    const verified = started.status === 200 ? await post('/wallet/verify', null, { reference }) : started
    if (verified.status !== 200 || verified.body.status !== 'settled')
      errors.push(`${name}/${n}: ${verified.status} ${JSON.stringify(verified.body)}`)
    else confirmed.credits.set(String(reference), BigInt(verified.body.amountMinor as number))
  }
}

async function send(url: string, bearer: string, key: string | null, body: object): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}
