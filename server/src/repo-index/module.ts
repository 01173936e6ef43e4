import type { Module } from '../platform/module.ts'

export const repoIndex: Module = { name: 'repo-index' }
