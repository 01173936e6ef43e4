import type { Module } from '../platform/module.ts'
import { caseRoutes } from './case-routes.ts'
import { deskRoutes } from './desk-routes.ts'
import { otpRoutes } from './otp-routes.ts'
import { paymentsOwned } from './owned.ts'
import { railRoutes } from './rail-routes.ts'
import { refundRoutes } from './refund-routes.ts'
import { topupRoutes } from './routes.ts'
import { paymentJobs, paymentSchedules } from './sweep.ts'
import { webhookRoutes } from './webhook-routes.ts'

export const payments: Module = {
  name: 'payments',
  routes: [
    ...topupRoutes,
    ...otpRoutes,
    ...refundRoutes,
    ...deskRoutes,
    ...caseRoutes,
    ...railRoutes,
    ...webhookRoutes,
  ],
  jobs: paymentJobs,
  schedules: paymentSchedules,
  owned: paymentsOwned,
}
