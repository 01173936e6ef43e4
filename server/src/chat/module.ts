import type { Module } from '../platform/module.ts'
import { failLostAnswers, lostAnswersSchedule } from './jobs.ts'
import { chatOwned } from './owned.ts'
import { chatRoutes } from './routes.ts'

export const chat: Module = {
  name: 'chat',
  tables: ['chat_threads', 'chat_messages'],
  routes: chatRoutes,
  jobs: [failLostAnswers],
  schedules: [lostAnswersSchedule],
  owned: chatOwned,
}
