import type { Module } from '../platform/module.ts'
import { researchSettings } from './settings.ts'

export const research: Module = { name: 'research', settings: [researchSettings] }
