// Access levels and limits of projects.
import type { Project } from '@cowrie/sdk'
import { msg } from '../../i18n/t.ts'

export type Access = Project['access']

export const ACCESS: Readonly<Record<Access, string>> = {
  viewer: msg('Can view'),
  editor: msg('Can edit'),
}

export const isAccess = (value: string): value is Access => value === 'viewer' || value === 'editor'

export const EDITORS_ONLY = msg('Only editors of the project can do this.')

export const NAME_MAX = 200
