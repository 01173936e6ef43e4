import type { Module } from '../platform/module.ts'
import { scimData } from './data-export.ts'
import { scimRoutes } from './routes.ts'
import { tokenRoutes } from './tokens/token-routes.ts'

export const scim: Module = {
  name: 'scim',
  tables: ['scim_tokens', 'scim_users', 'scim_groups', 'scim_group_members'],
  routes: [...tokenRoutes, ...scimRoutes],
  tenantData: scimData,
}
