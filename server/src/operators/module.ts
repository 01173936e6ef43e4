import type { Module } from '../platform/module.ts'
import { operatorRoutes } from './routes.ts'

export const operators: Module = { name: 'operators', routes: operatorRoutes }
