// Prepares a run before it costs anything: the model route, the prompt and the budget. Quotes and runs use the same
// figures.
import { type ModelRoute, priceOf, routeFor } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { type Excerpt, retrieve } from '../../repo-index/repo-index.ts'
import type { TokenPrice } from '../../wallet/wallet.ts'
import {
  type ContextFile,
  calculateTurnLimits,
  estimateMaxTokens,
  measureFiles,
  type TurnLimits,
} from '../prompt/context.ts'
import { type Nonce, newNonce } from '../prompt/markers.ts'
import { draftEditPrompt, type PromptDraft } from '../prompt/prompt.ts'
import { buildRules } from '../prompt/rules.ts'
import { createSecretFilter, type SecretFilter } from '../prompt/secret-filter.ts'
import type { AgentRunRequest } from '../schema.ts'
import { calculateLoopBudget, calculateRunBudget, capBudget, type RunBudget } from './budget.ts'
import { type Difficulty, scoreDifficulty } from './difficulty.ts'

export type PreparedRun = {
  readonly route: ModelRoute
  readonly limits: TurnLimits
  readonly nonce: Nonce
  readonly draft: PromptDraft
  readonly difficulty: Difficulty
  readonly budget: RunBudget
  /** The task without secrets. */
  readonly prompt: string
  readonly secrets: SecretFilter
}

/** Refuses tasks that no model may or can answer. `iterations` is set for loops. */
export async function prepareRun(
  app: App,
  actor: Actor,
  body: AgentRunRequest,
  iterations?: number,
): Promise<PreparedRun> {
  const { org } = actor
  const sent = body.context ?? []
  const secrets = createSecretFilter({ owner: actor.orgId, allowSecrets: body.allowSecrets === true }, [
    body.prompt,
    ...sent.map(({ content }) => content),
  ])
  const prompt = await secrets.hidePrompt('prompt', body.prompt)
  const files = await secrets.hideFiles(sent)
  const difficulty = scoreDifficulty(body.prompt, sent)
  const route = routeFor(app, org, { frontier: body.frontier, difficulty: difficulty.score })
  const limits = calculateTurnLimits(app.config.upstreamContextTokens)
  const nonce = newNonce()
  const found = await retrieve(app, actor, {
    query: prompt,
    repo: body.repo,
    limit: EXCERPTS_MAX,
    tokensMax: excerptTokenLimit(limits, buildRules(nonce, files) + prompt, files),
    exclude: files.map(({ path }) => path),
  })
  const retrieved: Excerpt[] = []
  for (const each of found)
    retrieved.push({ ...each, text: await secrets.hideForeignText(each.path, each.text) })
  const draft = draftEditPrompt(
    nonce,
    { prompt, files, retrieved, secretRule: secrets.rule },
    limits.promptTokens,
  )
  const price = priceOf(app, route.lane, org.currency, route.classPrices)
  const budget = capBudget(calculateBudget(price, { limits, draft }, iterations), body.maxMinor)
  return { route, limits, nonce, draft, difficulty, budget, prompt, secrets }
}

const EXCERPTS_MAX = 8
const EXCERPTS_SHARE = 0.25
// Tokens of the marks around the task.
const MARKS_TOKENS = 200

/** Excerpts get a share of the room, but never displace the caller's files and prompt. */
function excerptTokenLimit(limits: TurnLimits, words: string, files: readonly ContextFile[]): number {
  const most = Math.floor(limits.promptTokens * EXCERPTS_SHARE)
  const filesTokens = measureFiles(files).reduce((sum, size) => sum + size, 0)
  return Math.min(most, limits.promptTokens - estimateMaxTokens(words) - filesTokens - MARKS_TOKENS)
}

/** The budget at a price. */
export function calculateBudget(
  price: TokenPrice,
  { limits, draft }: Pick<PreparedRun, 'limits' | 'draft'>,
  iterations: number | undefined,
): RunBudget {
  return iterations === undefined
    ? calculateRunBudget(price, limits, draft.promptTokens)
    : calculateLoopBudget(price, limits, draft.promptTokens, iterations)
}
