import type { Module } from '../platform/module.ts'
import { gatewayRoutes } from './routes.ts'

export const gateway: Module = { name: 'gateway', routes: gatewayRoutes }
