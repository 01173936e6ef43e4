import type { Module } from '../platform/module.ts'
import { chatOwned } from './data-export.ts'
import { failLostAnswers, lostAnswersSchedule } from './jobs.ts'
import { chatRoutes } from './routes.ts'

export const chat: Module = {
  name: 'chat',
  tables: ['chat_threads', 'chat_messages'],
  routes: chatRoutes,
  jobs: [failLostAnswers],
  schedules: [lostAnswersSchedule],
  tenantData: chatOwned,
}
