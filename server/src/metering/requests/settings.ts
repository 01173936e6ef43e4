// Settings of the request log.
import { complianceHeading } from '../../platform/settings/platform-settings.ts'
import { count, settings } from '../../platform/settings/setting.ts'

export const requestLogSettings = settings('compliance', complianceHeading, {
  usage_log_days: {
    label: 'Days of the request log',
    description:
      'Rows about model calls are deleted after this many days. The ledger and the usage figures are not affected. A lower value deletes older rows within an hour.',
    type: count({ min: 1, max: 400 }),
    default: 90,
  },
})
