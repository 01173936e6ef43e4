// What has to be known before a run costs anything: who answers it, what it will read, what it can cost. A quote stops
// here, and a run goes on from the same figures.
import { type ModelRoute, priceOf, routeFor } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { type Excerpt, retrieve } from '../repo-index/repo-index.ts'
import type { Price } from '../wallet/wallet.ts'
import { type Budget, budgetOf, capped, loopBudget } from './budget.ts'
import { type ContextFile, sizesOf, type TurnLimits, tokensAtMost, turnLimits } from './context.ts'
import { type Difficulty, difficultyOf } from './difficulty.ts'
import { type Nonce, newNonce } from './markers.ts'
import { type Draft, editMessages } from './prompt.ts'
import { rulesOf } from './rules.ts'
import type { AgentRunRequest } from './schema.ts'
import { createSecretFilter, type SecretFilter } from './secret-filter.ts'

export type Prepared = {
  readonly route: ModelRoute
  readonly limits: TurnLimits
  readonly nonce: Nonce
  readonly draft: Draft
  readonly difficulty: Difficulty
  readonly budget: Budget
  /** The task as a model may read it. */
  readonly prompt: string
  readonly secrets: SecretFilter
}

/** Refuses what no model may or can answer. `iterations` are those of a loop. */
export async function prepare(
  app: App,
  actor: Actor,
  body: AgentRunRequest,
  iterations?: number,
): Promise<Prepared> {
  const { org } = actor
  const sent = body.context ?? []
  const secrets = createSecretFilter({ owner: actor.orgId, allowSecrets: body.allowSecrets === true }, [
    body.prompt,
    ...sent.map(({ content }) => content),
  ])
  const prompt = await secrets.hideWords('prompt', body.prompt)
  const files = await secrets.hideFiles(sent)
  const difficulty = difficultyOf(body.prompt, sent)
  const route = routeFor(app, org, { frontier: body.frontier, difficulty: difficulty.score })
  const limits = turnLimits(app.config.upstreamContextTokens)
  const nonce = newNonce()
  const found = await retrieve(app, actor, {
    query: prompt,
    repo: body.repo,
    limit: EXCERPTS_MAX,
    tokensMax: roomForExcerpts(limits, rulesOf(nonce, files) + prompt, files),
    exclude: files.map(({ path }) => path),
  })
  const retrieved: Excerpt[] = []
  for (const each of found) retrieved.push({ ...each, text: await secrets.hideFound(each.path, each.text) })
  const draft = editMessages(
    nonce,
    { prompt, files, retrieved, secretRule: secrets.rule },
    limits.promptTokens,
  )
  const price = priceOf(app, route.lane, org.currency)
  const budget = capped(budgetAt(price, { limits, draft }, iterations), body.maxMinor)
  return { route, limits, nonce, draft, difficulty, budget, prompt, secrets }
}

const EXCERPTS_MAX = 8
const EXCERPTS_SHARE = 0.25
// The marks round the task, counted apart from its words.
const MARKS_TOKENS = 200

/** What was found takes a part of the room, and never what the caller's own files and words need. */
function roomForExcerpts(limits: TurnLimits, words: string, files: readonly ContextFile[]): number {
  const most = Math.floor(limits.promptTokens * EXCERPTS_SHARE)
  const filesTokens = sizesOf(files).reduce((sum, size) => sum + size, 0)
  return Math.min(most, limits.promptTokens - tokensAtMost(words) - filesTokens - MARKS_TOKENS)
}

/** What it can cost at a price. */
export function budgetAt(
  price: Price,
  { limits, draft }: Pick<Prepared, 'limits' | 'draft'>,
  iterations: number | undefined,
): Budget {
  return iterations === undefined
    ? budgetOf(price, limits, draft.promptTokens)
    : loopBudget(price, limits, draft.promptTokens, iterations)
}
