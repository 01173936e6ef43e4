import type { Module } from '../platform/module.ts'

export const payments: Module = { name: 'payments' }
