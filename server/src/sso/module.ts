import type { Module } from '../platform/module.ts'
import { ssoRoutes } from './routes.ts'

export const sso: Module = { name: 'sso', routes: ssoRoutes }
