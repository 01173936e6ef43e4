// Customers who want something of a model all the time, while the replicas that work for them are killed.
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
/** Enough for a little, so that some work ends because there is no more. */
const POOR_MINOR = 20_000
const HANDS = 1

export type ModelLoad = {
  readonly replicas: Replicas
  readonly told: Confirmations
  readonly models: ObservedCharges
  readonly seed: number
  readonly kills: number
  readonly say: (line: string) => void
}

/** Ends when all kills are done and every customer has had the last word on what was begun. */
export async function loadModels(load: ModelLoad): Promise<void> {
  const { replicas, models, kills, say } = load
  const random = seeded(load.seed + 1_000)
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, (_, i) => createCustomer(load, i)))
  let isOver = false
  const pending = new Set<Promise<void>>()
  const hands = customers.flatMap((customer, i) =>
    Array.from({ length: HANDS }, (_, hand) => work(load, customer, i * HANDS + hand, pending, () => isOver)),
  )
  const lives = Promise.all(hands).catch((error: unknown) => {
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
  await Promise.all([lives, killing])
  say(`waiting for the last word on ${pending.size} calls`)
  await Promise.all(pending)
}

async function createCustomer({ replicas, told, models }: ModelLoad, i: number): Promise<Customer> {
  const customer = await signIn(replicas, told, `model${i}@example.com`)
  const headers = {
    authorization: `Bearer ${customer.bearer}`,
    'idempotency-key': `money-${customer.bearer}`,
  }
  const amountMinor = i % 5 === 4 ? POOR_MINOR : RICH_MINOR
  const started = await retryRequest(replicas, told, '/wallet/topup', { amountMinor }, headers)
  const { reference } = started.body
  const { authorization } = headers
  const { body } = await retryRequest(replicas, told, '/wallet/verify', { reference }, { authorization })
  if (body.status !== 'settled') throw new Error(`no money: ${JSON.stringify([started, body])}`)
  told.credits.set(String(reference), BigInt(body.amountMinor as number))
  models.completions.set(customer.bearer, { costs: [], unheard: 0 })
  return customer
}

/** One thing after the other. What has to be asked again is asked again in the background. */
async function work(
  { replicas, told, models, seed }: ModelLoad,
  { bearer, email }: Customer,
  hand: number,
  pending: Set<Promise<void>>,
  isOver: () => boolean,
): Promise<void> {
  const random = seeded(seed * 100 + hand)
  const pursuer: RetryContext = { replicas, told: models, bearer, random }
  const newThread = async () => {
    const { body } = await retryRequest(
      replicas,
      told,
      '/chat/threads',
      {},
      { authorization: `Bearer ${bearer}` },
    )
    return String(body.id)
  }
  let thread = await newThread()
  for (let n = 0; !isOver(); n++) {
    const name = `${email}/${hand}/${n}`
    const intent = nextIntent({ bearer, name, thread, random, hasSandbox: HAS_SANDBOX })
    const { isAnswered, rest } = await retryUntilKnown(pursuer, intent)
    // A conversation whose answer was lost stays busy for longer than this customer wants to wait.
    if (intent.path.startsWith('/chat/') && (!isAnswered || random() < 0.2)) thread = await newThread()
    const ended = rest.finally(() => pending.delete(ended))
    pending.add(ended)
    // It is waited for in the end; until then its failure is nobody's surprise.
    ended.catch(() => undefined)
  }
}

const HAS_SANDBOX = (process.env.PATH ?? '').split(delimiter).some((dir) => existsSync(join(dir, 'bwrap')))

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
