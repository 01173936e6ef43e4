// The routes of usage.
import { route } from '../platform/http/route.ts'
import { OwnUsage, TeamParams, TeamUsage, TeamUsageQuery, UsageQuery } from './schema.ts'
import { ownUsage, teamUsage } from './usage/usage.ts'

export const meteringRoutes = [
  route('me.usage', 'GET /me/usage', {
    summary: 'Read your usage in the organisation.',
    access: { scope: 'wallet:read' },
    rate: 'global',
    query: UsageQuery,
    reply: { 200: OwnUsage },
    handle: ({ app, actor, query }) => ownUsage(app, actor, query),
  }),

  route('teams.usage', 'GET /teams/{orgId}/usage', {
    summary: 'Read the usage of each member this month (UTC), and the rest of their caps.',
    access: { role: 'admin', orgParam: 'orgId' },
    rate: 'global',
    params: TeamParams,
    query: TeamUsageQuery,
    reply: { 200: TeamUsage },
    handle: ({ app, params, query }) => teamUsage(app, params.orgId, query),
  }),
]
