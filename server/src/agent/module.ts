import type { Module } from '../platform/module.ts'
import { agentRoutes } from './routes.ts'

export const agent: Module = { name: 'agent', routes: agentRoutes }
