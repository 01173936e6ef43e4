// The cost of a turn before it starts: the most, the usual, and the least that is needed to begin.
import { calculateTurnLimits, scoreDifficulty } from '../../agent/agent.ts'
import type { OrgId } from '../../kernel/ids.ts'
import {
  costOf,
  currentRateCard,
  fromKobo,
  type ModelRoute,
  priceOf,
  routeFor,
  routeToModel,
  usageName,
  usualCostOf,
} from '../../metering/metering.ts'
import type { Org } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { estimateMaxPromptTokens } from '../../platform/inference/inference.ts'
import { readSpendable } from '../../wallet/wallet.ts'
import { findClientBytes } from '../client/clients-sql.ts'
import type { TaskQuoteRequest, TurnQuoteRequest } from '../request-schema.ts'
import { type StepSizes, sumStepSizes } from '../steps-sql.ts'
import type { Task } from '../tasks-sql.ts'
import { requireTask } from './access.ts'

/** The most that a turn costs if the caller names nothing, in kobo. */
const TURN_MAX_KOBO = 100_000n
/** The rules and the descriptions of the tools. */
const STANDING_TOKENS = 4_000
const BYTES_PER_TOKEN = 3

/** The text that the next request has beside its prompt: the transcript, and the tools and conventions of a client workspace. */
type History = Pick<StepSizes, 'bytes'>

export async function readHistory(tx: Tx, org: OrgId, task: string): Promise<History> {
  const { bytes } = await sumStepSizes(tx, org, task)
  return { bytes: bytes + (await findClientBytes(tx, org, task)) }
}

export type QuotedTurn = {
  readonly route: ModelRoute
  readonly maxMinor: bigint
  readonly leastMinor: bigint
  readonly usuallyMinor: { readonly low: bigint; readonly high: bigint } | null
}

/** The caller of a turn. A comment on GitHub has no key. */
export type TurnPayer = { readonly org: Org | Actor['org']; readonly keyLimits: Actor['keyLimits'] }

/** The part of a task that the cost depends on. */
type QuotedTask = Pick<Task, 'orgId' | 'model' | 'budgetMinor' | 'spentMinor'>

export async function quoteTurn(
  app: App,
  payer: TurnPayer,
  task: QuotedTask,
  asked: TurnQuoteRequest,
  history: History,
): Promise<QuotedTurn> {
  const { org } = payer
  const prompt = asked.prompt ?? ''
  const route = chooseRoute(app, payer, asked.model ?? task.model, prompt)
  const price = priceOf(app, route.lane, org.currency, route.classPrices)
  const limits = calculateTurnLimits(route.contextTokens)
  const promptTokens = Math.min(
    STANDING_TOKENS +
      Math.ceil(history.bytes / BYTES_PER_TOKEN) +
      estimateMaxPromptTokens([{ role: 'user', content: prompt }]),
    limits.promptTokens,
  )
  const defaultMinor = fromKobo(currentRateCard(app), TURN_MAX_KOBO, org.currency).minor
  const budgetLeft = task.budgetMinor === null ? null : task.budgetMinor - task.spentMinor
  const maxMinor = [asked.maxMinor ?? defaultMinor, budgetLeft].reduce<bigint>(
    (least, each) => (each !== null && each < least ? each : least),
    asked.maxMinor ?? defaultMinor,
  )
  const leastMinor = costOf(price, promptTokens, limits.minOutputTokens)
  const usuallyMinor = await usualCostOf(app, {
    orgId: task.orgId,
    kind: 'turn',
    model: usageName(route),
    promptTokens,
    firstTurnMinor: costOf(price, promptTokens, limits.outputTokens),
    minMinor: 0n,
    maxMinor,
  })
  return { route, maxMinor, leastMinor, usuallyMinor }
}

/** The named model, or the lane that the platform chooses. */
function chooseRoute(app: App, payer: TurnPayer, model: string | null, prompt: string): ModelRoute {
  const name = model ?? routeFor(app, payer.org, { difficulty: scoreDifficulty(prompt, []).score }).lane
  return routeToModel(app, payer, name)
}

export async function quoteTaskTurn(app: App, actor: Actor, id: string, body: TurnQuoteRequest) {
  const { orgId, userId, keyId } = actor
  const { task, funds, history } = await app.db.tx(orgId, async (tx) => ({
    task: await requireTask(tx, actor, id),
    funds: await readSpendable(tx, orgId, userId, keyId),
    history: await readHistory(tx, orgId, id),
  }))
  return toReply(await quoteTurn(app, actor, task, body, history), funds)
}

/** The first turn of a task that does not exist yet. */
export async function quoteNewTask(app: App, actor: Actor, body: TaskQuoteRequest) {
  const { orgId, userId, keyId } = actor
  const funds = await app.db.tx(orgId, (tx) => readSpendable(tx, orgId, userId, keyId))
  const task = { orgId, model: null, budgetMinor: body.budgetMinor ?? null, spentMinor: 0n }
  return toReply(await quoteTurn(app, actor, task, body, { bytes: 0 }), funds)
}

function toReply(
  { route, maxMinor, leastMinor, usuallyMinor }: QuotedTurn,
  funds: Awaited<ReturnType<typeof readSpendable>>,
) {
  return {
    model: route.modelId,
    maxMinor,
    usuallyMinor,
    leastMinor,
    balanceMinor: funds.balanceMinor,
    availableMinor: funds.spendableMinor,
    affordable: leastMinor <= maxMinor && leastMinor <= funds.spendableMinor,
  }
}
