import type { Module } from '../platform/module.ts'
import { anthropicRoutes } from './anthropic/routes.ts'
import { geminiRoutes } from './gemini/routes.ts'
import { gatewayRoutes } from './routes.ts'

export const gateway: Module = {
  name: 'gateway',
  routes: [...gatewayRoutes, ...anthropicRoutes, ...geminiRoutes],
}
