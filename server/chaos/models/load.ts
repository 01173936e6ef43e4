// Customers who use models continuously while replicas are killed.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import { type Confirmations, type Customer, retryRequest, signIn } from '../customers.ts'
import type { Replicas } from '../replicas.ts'
import { nextIntent } from './intents.ts'
import type { ObservedCharges } from './observed-charges.ts'
import { type RetryContext, retryUntilKnown } from './retry-until-known.ts'

const CUSTOMERS = 14
const RICH_MINOR = 5_000_000
/** A small balance, so that some work ends for lack of funds. */
const POOR_MINOR = 20_000
const TASKS_PER_CUSTOMER = 1

export type ModelLoad = {
  readonly replicas: Replicas
  readonly confirmed: Confirmations
  readonly models: ObservedCharges
  readonly seed: number
  readonly kills: number
  readonly say: (line: string) => void
}

/** Resolves after all kills, when every request has a final answer. */
export async function loadModels(load: ModelLoad): Promise<void> {
  const { replicas, models, kills, say } = load
  const random = seeded(load.seed + 1_000)
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, (_, i) => createCustomer(load, i)))
  let isOver = false
  const pending = new Set<Promise<void>>()
  const tasks = customers.flatMap((customer, i) =>
    Array.from({ length: TASKS_PER_CUSTOMER }, (_, task) =>
      work(load, customer, i * TASKS_PER_CUSTOMER + task, pending, () => isOver),
    ),
  )
  const running = Promise.all(tasks).catch((error: unknown) => {
    isOver = true
    throw error
  })
  const killing = (async () => {
    for (let kill = 1; kill <= kills && !isOver; kill++) {
      await sleep(300 + random() * 2_200)
      await replicas.killOne(random)
      models.counts.kills++
      if (kill % 5 === 0) say(`${kill} replicas killed under models, ${models.counts.answers} answers`)
    }
    isOver = true
  })()
  await Promise.all([running, killing])
  say(`waiting for the final answers of ${pending.size} calls`)
  await Promise.all(pending)
}

async function createCustomer({ replicas, confirmed, models }: ModelLoad, i: number): Promise<Customer> {
  const customer = await signIn(replicas, confirmed, `model${i}@example.com`)
  const headers = {
    authorization: `Bearer ${customer.bearer}`,
    'idempotency-key': `money-${customer.bearer}`,
  }
  const amountMinor = i % 5 === 4 ? POOR_MINOR : RICH_MINOR
  const started = await retryRequest(replicas, confirmed, '/wallet/topup', { amountMinor }, headers)
  const { reference } = started.body
  const { authorization } = headers
  const { body } = await retryRequest(replicas, confirmed, '/wallet/verify', { reference }, { authorization })
  if (body.status !== 'settled')
    throw new Error(`the top-up did not settle: ${JSON.stringify([started, body])}`)
  confirmed.credits.set(String(reference), BigInt(body.amountMinor as number))
  models.completions.set(customer.bearer, { costs: [], unobserved: 0 })
  return customer
}

/** Sends one request after the other. Retries run in the background. */
async function work(
  { replicas, confirmed, models, seed }: ModelLoad,
  { bearer, email }: Customer,
  task: number,
  pending: Set<Promise<void>>,
  isOver: () => boolean,
): Promise<void> {
  const random = seeded(seed * 100 + task)
  const retryContext: RetryContext = { replicas, observed: models, bearer, random }
  const newThread = async () => {
    const { body } = await retryRequest(
      replicas,
      confirmed,
      '/chat/threads',
      {},
      { authorization: `Bearer ${bearer}` },
    )
    return String(body.id)
  }
  let thread = await newThread()
  for (let n = 0; !isOver(); n++) {
    const name = `${email}/${task}/${n}`
    const intent = nextIntent({ bearer, name, thread, random, hasSandbox: HAS_SANDBOX })
    const { isAnswered, rest } = await retryUntilKnown(retryContext, intent)
    // A thread whose answer was lost stays busy for a while, so the customer opens a new one.
    if (intent.path.startsWith('/chat/') && (!isAnswered || random() < 0.2)) thread = await newThread()
    const ended = rest.finally(() => pending.delete(ended))
    pending.add(ended)
    // Awaited at the end. Until then this handler prevents an unhandled rejection.
    ended.catch(() => undefined)
  }
}

const HAS_SANDBOX = (process.env.PATH ?? '').split(delimiter).some((dir) => existsSync(join(dir, 'bwrap')))

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
