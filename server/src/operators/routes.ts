// Routes for platform staff.
import { route } from '../platform/http/route.ts'
import { listSettings, resetSetting, setSetting } from './edit-settings.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { orgRoutes } from './orgs/routes.ts'
import { postureRoutes } from './posture/routes.ts'
import { rotationRoutes } from './rotation/routes.ts'
import { SettingBody, SettingChanged, SettingsListing } from './schema.ts'
import { staffRoutes } from './staff/routes.ts'

export const operatorRoutes = [
  route('admin.settings.list', 'GET /admin/settings', {
    summary: 'List all platform settings with effective values and their last editors.',
    access: { staff: 'any' },
    rate: 'global',
    reply: { 200: SettingsListing },
    handle: ({ app, actor }) => listSettings(app, actor),
  }),

  route('admin.settings.set', 'PUT /admin/settings/{key}', {
    summary: 'Store a value for a platform setting.',
    detail:
      'A stored value, even an unchanged one, is no longer seeded by environment variables. Keys marked `superAdminOnly` require a super admin.',
    access: { staff: ['operator', 'super_admin'] },
    stepUp: true,
    rate: 'global',
    audit: true,
    body: SettingBody,
    reply: { 200: SettingChanged },
    errors: ['staff_only', 'unknown_setting', 'invalid_setting'],
    handle: ({ app, actor, params, body, request }) =>
      setSetting(app, actor, params.key ?? '', body.value, request.address),
  }),

  route('admin.settings.reset', 'DELETE /admin/settings/{key}', {
    summary: 'Reset a platform setting to its default.',
    detail:
      'Deletes the stored value; an environment variable may seed the setting at the next start. Also clears stored keys that this build does not declare.',
    access: { staff: ['operator', 'super_admin'] },
    stepUp: true,
    rate: 'global',
    audit: true,
    reply: { 200: SettingChanged },
    errors: ['staff_only', 'not_found'],
    handle: ({ app, actor, params, request }) => resetSetting(app, actor, params.key ?? '', request.address),
  }),

  ...orgRoutes,
  ...postureRoutes,
  ...ledgerRoutes,
  ...rotationRoutes,
  ...staffRoutes,
]
