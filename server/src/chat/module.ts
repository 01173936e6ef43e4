import type { Module } from '../platform/module.ts'
import { chatTenantData } from './data-export.ts'
import { failOrphanedAnswers, orphanedAnswersSchedule } from './jobs.ts'
import { chatRoutes } from './routes.ts'

export const chat: Module = {
  name: 'chat',
  tables: ['chat_threads', 'chat_messages'],
  routes: chatRoutes,
  jobs: [failOrphanedAnswers],
  schedules: [orphanedAnswersSchedule],
  tenantData: chatTenantData,
}
