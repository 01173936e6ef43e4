import type { Module } from '../platform/module.ts'

export const metrics: Module = { name: 'metrics' }
