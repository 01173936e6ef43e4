import type { Module } from '../platform/module.ts'
import { walletSettings } from './settings.ts'
import { expireHolds, expirySchedule } from './sweep.ts'

export const wallet: Module = {
  name: 'wallet',
  settings: [walletSettings],
  jobs: [expireHolds],
  schedules: [expirySchedule],
}
