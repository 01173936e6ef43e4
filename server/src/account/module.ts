import type { Module } from '../platform/module.ts'
import { accountRoutes } from './routes.ts'

export const account: Module = { name: 'account', routes: accountRoutes }
