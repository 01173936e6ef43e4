// Endpoints for the rules of the static analysis and those of organisations.
import { route } from '../platform/http/route.ts'
import { ok } from '../platform/http/shapes.ts'
import { listCustomRules, putCustomRule, removeCustomRule, testCustomRule } from './custom/custom-rules.ts'
import {
  CustomRuleList,
  CustomRuleReply,
  RuleBody,
  RuleParams,
  RuleTestBody,
  RuleTestReply,
} from './custom/schema.ts'
import { RuleList, toRuleReply } from './schema.ts'

const TEST_BYTES = 4 * 1024 * 1024

export const scanRoutes = [
  route('review.rules', 'GET /review/rules', {
    summary: 'List the analysis rules with their meaning and fix.',
    access: 'any',
    rate: 'global',
    reply: { 200: RuleList },
    // Loaded when first needed: scans run in worker threads, and the rules have hundreds of modules.
    handle: async () => {
      const { allRules } = await import('@cowrie/analysis/all-rules.ts')
      const { ADVISORY_RULE } = await import('@cowrie/analysis/advisories/findings.ts')
      return { rules: [...allRules, ADVISORY_RULE].map(toRuleReply) }
    },
  }),

  route('review.customRules.list', 'GET /review/custom-rules', {
    summary: 'List the analysis rules of your organisation.',
    access: 'any',
    rate: 'global',
    reply: { 200: CustomRuleList },
    handle: ({ app, actor }) => listCustomRules(app, actor),
  }),

  route('review.customRules.put', 'PUT /review/custom-rules/{id}', {
    summary: 'Create or replace an analysis rule of your organisation.',
    detail:
      'A rule matches calls, data flows or texts by name, in a small YAML form. Scans and reviews of your organisation use enabled rules at once. Limits: 50 rules of 16,000 characters.',
    access: { role: 'admin' },
    rate: 'global',
    audit: true,
    params: RuleParams,
    body: RuleBody,
    reply: { 200: CustomRuleReply },
    errors: ['limit_reached'],
    handle: ({ app, actor, params, body, request }) =>
      putCustomRule(app, actor, params.id, body, request.address),
  }),

  route('review.customRules.remove', 'DELETE /review/custom-rules/{id}', {
    summary: 'Remove an analysis rule of your organisation. Earlier findings stay.',
    access: { role: 'admin' },
    rate: 'global',
    audit: true,
    params: RuleParams,
    reply: { 200: ok },
    handle: ({ app, actor, params, request }) => removeCustomRule(app, actor, params.id, request.address),
  }),

  route('review.customRules.test', 'POST /review/custom-rules/test', {
    summary: 'Try a rule on files. Free; nothing is stored.',
    access: { scope: 'agent:run' },
    rate: 'global',
    takesAnyText: true,
    bodyLimitBytes: TEST_BYTES,
    body: RuleTestBody,
    reply: { 200: RuleTestReply },
    errors: ['busy'],
    handle: ({ actor, body, request }) => testCustomRule(actor, body, request.gone),
  }),
]
