import type { Module } from '../platform/module.ts'
import { anthropicRoutes } from './anthropic/routes.ts'
import { geminiRoutes } from './gemini/routes.ts'
import { gatewayRoutes } from './routes.ts'
import { storedResponseData } from './stored/data-export.ts'
import { forgetResponsesJob, forgetResponsesSchedule } from './stored/jobs.ts'
import { storedResponseRoutes } from './stored/routes.ts'

export const gateway: Module = {
  name: 'gateway',
  tables: ['stored_responses'],
  routes: [...gatewayRoutes, ...storedResponseRoutes, ...anthropicRoutes, ...geminiRoutes],
  jobs: [forgetResponsesJob],
  schedules: [forgetResponsesSchedule],
  tenantData: storedResponseData,
}
