import type { Module } from '../platform/module.ts'
import { inferenceSettings, pricingSettings } from './settings.ts'

export const metering: Module = { name: 'metering', settings: [pricingSettings, inferenceSettings] }
