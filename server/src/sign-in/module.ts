import type { Module } from '../platform/module.ts'
import { signInRoutes } from './routes.ts'

export const signIn: Module = { name: 'sign-in', routes: signInRoutes }
