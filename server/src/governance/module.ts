import type { Module } from '../platform/module.ts'

export const governance: Module = { name: 'governance' }
