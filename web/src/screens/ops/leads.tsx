// Contact requests.

import { usePages } from '../../data/paged-resource.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { msg, t } from '../../i18n/t.ts'
import { PagedList } from '../../ui/base/paged-list.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { api } from './shared/staff-api.ts'

const INTERESTS = {
  teams: msg('Team plan'),
  enterprise: msg('Enterprise'),
  general: msg('Something else'),
} as const

export default function Leads() {
  const leads = usePages('leads', 'ops.leads', (cursor) => api.admin.leads.list({ limit: 25, ...cursor }))
  return (
    <Page title={t('Enquiries')}>
      <p class="help">{t('From the contact form, newest first.')}</p>
      <PagedList pages={leads} empty={t('No enquiries yet.')} more={t('Older enquiries')}>
        {({ name, email, company, interest, message, createdAt }) => (
          <article class="lead">
            <p>
              <span class="row-name" dir="auto">
                {name}
              </span>{' '}
              <span class="chip">{t(INTERESTS[interest])}</span>
            </p>
            <p class="help">
              {company !== null && (
                <>
                  <bdi>{company}</bdi> ·{' '}
                </>
              )}
              {formatDateTime(createdAt)}
            </p>
            <p class="lead-message" dir="auto">
              {message}
            </p>
            <p class="onward">
              <a href={`mailto:${encodeURIComponent(email)}`}>{t('Reply to {email}', { email })}</a>
            </p>
          </article>
        )}
      </PagedList>
    </Page>
  )
}
