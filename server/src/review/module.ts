import type { Module } from '../platform/module.ts'
import { reviewSettings } from './settings.ts'

export const review: Module = { name: 'review', settings: [reviewSettings] }
