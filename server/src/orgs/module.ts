import type { Module } from '../platform/module.ts'

export const orgs: Module = { name: 'orgs', tables: ['orgs', 'memberships'] }
