// Settings of the public pages.
import { settings, text } from '../../platform/settings/setting.ts'

export const siteSettings = settings(
  'site',
  { label: 'Public pages', blurb: 'Texts on the pages that everyone can read.' },
  {
    status_notice: {
      label: 'Notice on the status page',
      description:
        'A sentence about a current incident or planned work, shown at the top of /status within seconds. Empty shows none.',
      type: text(),
      default: '',
    },
  },
)

export const { status_notice: statusNotice } = siteSettings.settings
