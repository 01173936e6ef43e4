import type { Route } from '../platform/http/route.ts'
import type { Module } from '../platform/module.ts'
import { listenForCancellations } from './active-calls.ts'
import { mcpRoutes } from './routes.ts'

export const mcp = (operations: readonly Route[]): Module => ({
  name: 'mcp',
  routes: mcpRoutes(operations),
  start: async (app) => listenForCancellations(app),
})
