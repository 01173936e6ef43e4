// Lists the rules of the static analysis.

import { allRules } from '@cowrie/analysis/all-rules.ts'
import { route } from '../platform/http/route.ts'
import { RuleList, toRuleReply } from './schema.ts'

export const scanRoutes = [
  route('review.rules', 'GET /review/rules', {
    summary: 'List the analysis rules with their meaning and fix.',
    access: 'any',
    rate: 'global',
    reply: { 200: RuleList },
    handle: () => ({ rules: allRules.map(toRuleReply) }),
  }),
]
