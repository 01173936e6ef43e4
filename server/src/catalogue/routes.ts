// The catalogue's endpoint.
import { route } from '../platform/http/route.ts'
import { allRules } from './all-rules.ts'
import { RuleList, shownRule } from './schema.ts'

export const catalogueRoutes = [
  route('review.rules', 'GET /review/rules', {
    summary: 'Every rule that code is held to, with what it means and what to write instead.',
    access: 'any',
    rate: 'global',
    reply: { 200: RuleList },
    handle: () => ({ rules: allRules.map(shownRule) }),
  }),
]
