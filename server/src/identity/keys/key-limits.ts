// The limits in force for a key: its own, and those of the keys that created it.
import { record } from '../../audit/audit.ts'
import { before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { KeyId } from '../../kernel/ids.ts'
import { intersectPatterns } from '../../kernel/model-patterns.ts'
import type { App } from '../../platform/app.ts'
import type { Actor, KeyLimits, KeyRate } from '../../platform/http/actor.ts'
import { isInAny } from '../allowed-addresses.ts'
import { type KeyRow, type LimitsRow, markAddressRefused } from '../sql.ts'

type Level = LimitsRow & { key_id: KeyId }

const REFUSALS_RECORDED_EVERY = { hours: 1 }

/** Null where no limit applies, which is the usual case. */
export function limitsInForce(key: KeyRow): KeyLimits | null {
  const levels = levelsOf(key)
  let models: readonly string[] | null = null
  const rates: KeyRate[] = []
  for (const level of levels) {
    if (level.models !== null)
      models = models === null ? level.models : intersectPatterns(models, level.models)
    const {
      key_id: keyId,
      requests_per_minute: requestsPerMinute,
      tokens_per_minute: tokensPerMinute,
    } = level
    if (requestsPerMinute !== null || tokensPerMinute !== null)
      rates.push({ keyId, requestsPerMinute, tokensPerMinute })
  }
  return models === null && rates.length === 0 ? null : { models, rates }
}

/** The models that both the policy of the organisation and the key allow. */
export function allowedModels({ allowedModels: policy }: Actor['org'], limits: KeyLimits | null) {
  if (policy === null || !limits?.models) return limits?.models ?? policy
  return intersectPatterns(policy, limits.models)
}

/** Throws `address_not_allowed`. The audit log gets one event per key and hour. */
export async function requireAllowedAddress(
  app: App,
  key: KeyRow,
  actor: Actor,
  address: string,
): Promise<void> {
  if (levelsOf(key).every((level) => isAllowedFrom(level, address))) return
  await recordRefusal(app, key, actor, address).catch((error) =>
    app.log.warn({ err: error, keyId: key.key_id }, 'identity.address_refusal.record_failed'),
  )
  app.metrics.addressRefused('key')
  throw new ApiError('address_not_allowed', {
    error: `This API key cannot be used from ${address}. Call from an allowed address, or add this one to the key.`,
  })
}

const levelsOf = (key: KeyRow): readonly Level[] => (key.inherited === null ? [key] : [key, ...key.inherited])

const isAllowedFrom = ({ allowed_addresses: allowed }: Level, address: string): boolean =>
  allowed === null || isInAny(address, allowed)

async function recordRefusal(app: App, key: KeyRow, actor: Actor, address: string): Promise<void> {
  const since = before(app.clock.now(), REFUSALS_RECORDED_EVERY)
  if (key.address_refused_at !== null && key.address_refused_at > since) return
  await app.db.tx(actor.orgId, async (tx) => {
    if (!(await markAddressRefused(tx, key.key_id, since))) return
    await record(tx, {
      orgId: actor.orgId,
      actor,
      ip: address,
      action: 'keys.address_refused',
      target: key.key_id,
      metadata: { name: key.name },
    })
  })
}
