// The first three steps of a new user.

import { t } from '../../i18n/t.ts'
import { Section } from '../../ui/base/sheet.tsx'
import { Step, Steps } from '../../ui/layout/steps.tsx'

type Props = { hasPaid: boolean; hasTrial: boolean; hasRun: boolean }

export const Checklist = ({ hasPaid, hasTrial, hasRun }: Props) => (
  <Section title={t('Your first steps')}>
    <Steps label={t('Your first steps')}>
      <Step state="done" title={t('Email confirmed')} />
      <Step
        state={hasPaid ? 'done' : 'now'}
        title={
          hasTrial ? (
            t('Trial credit received')
          ) : (
            <a href="/app/wallet/top-up#top-up">{t('Top up your wallet')}</a>
          )
        }
      />
      <Step
        state={hasRun ? 'done' : hasPaid ? 'now' : 'next'}
        title={<a href="/app/tasks/new">{t('Start your first task')}</a>}
      />
    </Steps>
  </Section>
)
