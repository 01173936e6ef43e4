// The rules of an organisation: stored as it wrote them, tried on files without storing anything, and used in its scans.
import { record } from '../../audit/audit.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { TaskTimeout } from '../../platform/workers/workers.ts'
import { scan } from '../scan.ts'
import { toScanFinding } from '../schema.ts'
import { selectFindings } from '../select-findings.ts'
import { parseRule, parseStoredRule } from './rule-form.ts'
import { countOtherRules, deleteRule, listRules, type StoredRule, storeRule } from './rules-sql.ts'
import type { RuleBody, RuleTestBody } from './schema.ts'

const RULES_MAX = 50
const TEST_MS = 20_000

const toReply = ({ ruleId, yaml, isEnabled, createdAt, updatedAt }: StoredRule) => ({
  id: ruleId,
  yaml,
  enabled: isEnabled,
  valid: parseStoredRule(yaml) !== null,
  createdAt,
  updatedAt,
})

export async function listCustomRules(app: App, { orgId }: Actor) {
  const stored = await app.db.tx(orgId, (tx) => listRules(tx, orgId))
  return { rules: stored.map(toReply) }
}

export function putCustomRule(app: App, actor: Actor, id: string, { yaml, enabled }: RuleBody, ip: string) {
  const { orgId, userId } = actor
  const rule = parseRule(yaml)
  if (rule.id !== id) throw invalidFields({ path: 'yaml', message: `id: must be ${id}, as in the address` })
  return app.db.tx(orgId, async (tx) => {
    await tx.lock(`scan rules ${orgId}`)
    if ((await countOtherRules(tx, orgId, id)) >= RULES_MAX)
      throw new ApiError('limit_reached', {
        error: `Your organisation has ${RULES_MAX} rules. Remove one first.`,
      })
    const stored = await storeRule(tx, orgId, { ruleId: id, yaml, isEnabled: enabled, by: userId })
    await record(tx, {
      orgId,
      actor,
      ip,
      action: 'review.customRules.put',
      target: id,
      metadata: { enabled },
    })
    return toReply(stored)
  })
}

export function removeCustomRule(app: App, actor: Actor, id: string, ip: string) {
  const { orgId } = actor
  return app.db.tx(orgId, async (tx) => {
    if (!(await deleteRule(tx, orgId, id))) throw new ApiError('not_found')
    await record(tx, { orgId, actor, ip, action: 'review.customRules.remove', target: id })
    return { ok: true as const }
  })
}

/** Scans the files with this rule only. */
export async function testCustomRule(
  { orgId }: Actor,
  { yaml, files }: RuleTestBody,
  disconnected: AbortSignal,
) {
  const customRules = [parseRule(yaml)]
  const signal = AbortSignal.any([disconnected, AbortSignal.timeout(TEST_MS + 5_000)])
  try {
    const report = await scan(files, {
      signal,
      owner: orgId,
      timeoutMs: TEST_MS,
      customRules,
      isOnlyCustom: true,
    })
    const findings = selectFindings(report.findings, { perFile: 50, total: 500 })
    return {
      findings: findings.map(toScanFinding),
      skipped: report.skipped.map((each) => ({ ...each })),
      files: report.files,
      omitted: report.findings.length - findings.length,
    }
  } catch (error) {
    throw error instanceof TaskTimeout || (signal.aborted && !disconnected.aborted)
      ? new ApiError('busy')
      : error
  }
}
