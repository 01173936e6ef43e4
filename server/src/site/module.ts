import type { Module } from '../platform/module.ts'
import { siteSettings } from './facts/settings.ts'
import { siteRoutes } from './routes.ts'

export const site: Module = { name: 'site', routes: siteRoutes, settings: [siteSettings] }
