import type { Module } from '../platform/module.ts'
import { chatRoutes } from './routes.ts'

export const chat: Module = { name: 'chat', routes: chatRoutes }
