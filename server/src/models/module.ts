import type { Module } from '../platform/module.ts'
import { inferenceSettings } from './settings.ts'

export const models: Module = {
  name: 'models',
  settings: [inferenceSettings],
}
