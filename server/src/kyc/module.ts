import type { Module } from '../platform/module.ts'
import { kycRoutes } from './routes.ts'

export const kyc: Module = { name: 'kyc', routes: kycRoutes }
