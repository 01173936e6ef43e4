import type { Module } from '../platform/module.ts'
import { identityOwned } from './owned.ts'
import { identityRoutes } from './routes.ts'

export const identity: Module = { name: 'identity', routes: identityRoutes, owned: identityOwned }
