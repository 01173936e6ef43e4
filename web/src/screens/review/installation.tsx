// One GitHub account, or one connected repository: status, missing permissions and review settings.
import type { VcsInstallation, VcsInstallationsPermissionsReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { formatDate } from '../../i18n/format.ts'
import { msg, t, tn } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Facts } from '../../ui/base/facts.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Select } from '../../ui/input/select.tsx'
import { POLICIES } from './review-texts.ts'

const STATES: Readonly<Record<VcsInstallation['status'], readonly [string, string]>> = {
  active: [msg('Connected'), 'ok'],
  suspended: [msg('Suspended on GitHub'), 'warn'],
  removed: [msg('Removed on GitHub'), 'bad'],
}

/** Names, which are the same in every language. */
const HOSTS: Readonly<Record<VcsInstallation['forge'], string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  bitbucket: 'Bitbucket',
}

type Gap = VcsInstallationsPermissionsReply['gaps'][number]
export type InstallationDetails = { installation: VcsInstallation; gaps: readonly Gap[] }
type Props = { installation: VcsInstallation; mayChange: boolean; onChanged: () => Promise<void> }

export function Installation({ installation, gaps, mayChange, onChanged }: Props & InstallationDetails) {
  const { account, status, repositorySelection, createdAt, removedAt } = installation
  const [words, look] = STATES[status]
  const isConnection = installation.forge !== 'github'
  return (
    <article class="installation" aria-label={account}>
      <p class="row-name">
        <bdi dir="ltr">{account}</bdi>{' '}
        <span class={`chip ${look}`}>
          {isConnection && status === 'removed' ? t('Disconnected') : t(words)}
        </span>
      </p>
      <p class="help">
        {isConnection
          ? HOSTS[installation.forge]
          : repositorySelection === 'all'
            ? t('All repositories')
            : t('Selected repositories')}{' '}
        ·{' '}
        {removedAt
          ? t('removed {day}; reviews are kept for a month', { day: formatDate(removedAt) })
          : t('since {day}', { day: formatDate(createdAt) })}
      </p>
      {status !== 'removed' && (
        <>
          <Gaps installation={installation} gaps={gaps} />
          {mayChange ? (
            <Policy installation={installation} onChanged={onChanged} />
          ) : (
            <ReadOnlyPolicy installation={installation} />
          )}
        </>
      )}
    </article>
  )
}

function Gaps({ installation, gaps }: InstallationDetails) {
  if (gaps.length === 0) return <p>{t('All permissions are granted.')}</p>
  return (
    <div class="gaps">
      <p>
        <strong>
          {tn(gaps.length, '{n} permission is missing on GitHub', '{n} permissions are missing on GitHub')}
        </strong>
      </p>
      <ol>
        {gaps.map(({ permission, need, have, reason }) => (
          <li key={permission}>
            <code dir="ltr">{permission}</code>{' '}
            <span class="help">{t('is {have}, must be {need}', { have, need })}</span>
            <p>{reason}</p>
          </li>
        ))}
      </ol>
      <p>
        <a class="button" href={addressOf(installation)} target="_blank" rel="noreferrer">
          {t('Open settings on GitHub')}
        </a>
      </p>
    </div>
  )
}

function addressOf({ account, accountType, installationId }: VcsInstallation): string {
  const owner = accountType === 'Organization' ? `organizations/${encodeURIComponent(account)}/` : ''
  return `https://github.com/${owner}settings/installations/${installationId}`
}

function Policy({ installation, onChanged }: Omit<Props, 'mayChange'>) {
  const { id, account, blockingPolicy, inlineComments, validationEnabled } = installation
  const policy = useSignal(blockingPolicy)
  const saving = useAction(async (form: FormData) => {
    await api.vcs.installations.change(id, {
      blockingPolicy: policy.peek(),
      inlineComments: form.has('inlineComments'),
      // Omit an option that the deployment does not have.
      ...(form.has('validationEnabled') !== validationEnabled && {
        validationEnabled: form.has('validationEnabled'),
      }),
    })
    await onChanged()
    announce(t('Saved for {account}.', { account }))
  })
  const failure = saving.failure.value
  return (
    <Form action={saving} submit={t('Save policy')} busy={t('Saving …')} quiet={['validation_not_enabled']}>
      <fieldset class="policy">
        <legend class="unseen">{t('How pull requests of {account} are reviewed', { account })}</legend>
        <Select
          name={`${id}-policy`}
          label={t('Merge policy')}
          options={Object.entries(POLICIES).map(([value, words]) => [value, t(words)])}
          value={policy.value}
          onChoose={(chosen) => {
            policy.value = chosen as VcsInstallation['blockingPolicy']
          }}
        />
        <label class="tick">
          <input type="checkbox" name="inlineComments" defaultChecked={inlineComments} />
          <span>{t('Comment on lines of pull requests')}</span>
        </label>
        <label class="tick">
          <input
            type="checkbox"
            name="validationEnabled"
            defaultChecked={validationEnabled}
            aria-invalid={failure?.code === 'validation_not_enabled'}
            aria-describedby={`${id}-validation`}
          />
          <span>
            {t('Run the tests of a pull request')}
            <span id={`${id}-validation`} class="help">
              {failure?.code === 'validation_not_enabled' ? (
                <span class="bad" role="alert">
                  {t(
                    'Tests of pull requests are not available yet. Nothing was saved. Turn the option off or contact us.',
                  )}
                </span>
              ) : (
                t('In a sandbox without network, before the review is posted.')
              )}
            </span>
          </span>
        </label>
      </fieldset>
    </Form>
  )
}

/** The read-only view, with the roles that may change it. */
function ReadOnlyPolicy({ installation }: { installation: VcsInstallation }) {
  const { id, blockingPolicy, inlineComments, validationEnabled } = installation
  return (
    <>
      <Facts
        lines={[
          [t('Merge policy'), t(POLICIES[blockingPolicy])],
          [t('Comment on lines of pull requests'), inlineComments ? t('On') : t('Off')],
          [t('Run the tests of a pull request'), validationEnabled ? t('On') : t('Off')],
        ]}
      />
      <div class="choices">
        <button type="button" disabled aria-describedby={`${id}-barred`}>
          {t('Save policy')}
        </button>
        <p id={`${id}-barred`} class="help">
          {t('Only owners and administrators can change this.')}
        </p>
      </div>
    </>
  )
}
