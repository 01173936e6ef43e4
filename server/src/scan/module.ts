import type { Module } from '../platform/module.ts'
import { scanRoutes } from './routes.ts'

export const scan: Module = { name: 'scan', routes: scanRoutes }
