import type { Module } from '../platform/module.ts'

export const flags: Module = { name: 'flags' }
