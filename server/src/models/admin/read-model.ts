// Reads the body of a model. The fields are optional in the schema, because a lane has only routes.
import { type Field, invalidFields } from '../../kernel/errors.ts'
import type { ClassPrices } from '../../wallet/wallet.ts'
import type { ModelBody } from '../schema.ts'
import type { StoredModel } from '../sql.ts'

const REQUIRED = ['lane', 'contextTokens', 'outputTokens', 'price'] as const

export function readModel(id: string, body: ModelBody): StoredModel {
  const { lane, contextTokens, outputTokens, capabilities = [], aliases = [], enabled = true } = body
  const missing = REQUIRED.filter((name) => body[name] === undefined)
  const problems: Field[] = missing.map((path) => ({ path, message: 'is required' }))
  if (body.routes.length === 0) problems.push({ path: 'routes', message: 'must have at least one route' })
  if (outputTokens && contextTokens && outputTokens > contextTokens)
    problems.push({ path: 'outputTokens', message: `must be at most contextTokens (${contextTokens})` })
  if (new Set(capabilities).size < capabilities.length)
    problems.push({ path: 'capabilities', message: 'must not repeat a capability' })
  if (problems.length > 0 || !lane || !contextTokens || !outputTokens) throw invalidFields(...problems)
  return { id, title: body.title ?? id, lane, contextTokens, outputTokens, capabilities, aliases, enabled }
}

export function readPrice({ price }: ModelBody): ClassPrices {
  if (!price) throw invalidFields({ path: 'price', message: 'is required' })
  const { input, output, cachedInput = input, cacheWrite = input } = price
  return { input, output, cachedInput, cacheWrite }
}
