import type { Module } from '../platform/module.ts'
import { operatorRoutes } from './routes.ts'

export const operators: Module = { name: 'operators', tables: ['staff_invites'], routes: operatorRoutes }
