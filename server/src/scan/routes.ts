// Lists the rules of the static analysis.
import { route } from '../platform/http/route.ts'
import { RuleList, toRuleReply } from './schema.ts'

export const scanRoutes = [
  route('review.rules', 'GET /review/rules', {
    summary: 'List the analysis rules with their meaning and fix.',
    access: 'any',
    rate: 'global',
    reply: { 200: RuleList },
    // Loaded when first needed: scans run in worker threads, and the rules have hundreds of modules.
    handle: async () => {
      const { allRules } = await import('@cowrie/analysis/all-rules.ts')
      return { rules: allRules.map(toRuleReply) }
    },
  }),
]
