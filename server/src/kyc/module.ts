import type { Module } from '../platform/module.ts'
import { kycData } from './data-export.ts'
import { kycRoutes } from './routes.ts'

export const kyc: Module = { name: 'kyc', tables: ['kyc_records'], routes: kycRoutes, tenantData: kycData }
