import type { Module } from '../platform/module.ts'

export const hooks: Module = { name: 'hooks' }
