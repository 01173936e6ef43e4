// Review settings: GitHub installations, missing permissions, and merge blocking.
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, session } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { announce } from '../../ui/base/announcer.tsx'
import { Copyable } from '../../ui/base/copyable.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page, Section } from '../../ui/base/sheet.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'
import { Installation, type InstallationDetails } from './installation.tsx'

export default function ReviewSettings() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const installations = useResource('vcs.installations', readAll)
  const current = installations.current.value
  const mayChange = me.role !== 'member'
  return (
    <Page
      title={t('Review settings')}
      note={t('Every commit of a pull request is reviewed once.')}
      width="reading"
    >
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={installations.load} />}
      {current.state === 'loading' && <span class="blank installations-place" aria-busy="true" />}
      {current.state === 'ready' && (
        <>
          <Section title={t('Connected accounts')}>
            {current.value.length === 0 && <p class="help">{t('No account connected yet.')}</p>}
            {current.value.map(({ installation, gaps }) => (
              <Installation
                key={`${installation.id} ${installation.updatedAt}`}
                installation={installation}
                gaps={gaps}
                mayChange={mayChange}
                onChanged={installations.load}
              />
            ))}
          </Section>
          <Section title={t('Connect GitHub')}>
            <Connect orgId={me.orgId} mayChange={mayChange} onClaimed={installations.load} />
          </Section>
        </>
      )}
    </Page>
  )
}

/** Loads the details of each installation together, so that nothing moves later. */
async function readAll(): Promise<InstallationDetails[]> {
  const { installations } = await api.vcs.installations.list()
  return Promise.all(
    installations.map(async (installation) => ({
      installation,
      gaps: (await api.vcs.installations.permissions(installation.id)).gaps,
    })),
  )
}

type ConnectProps = { orgId: string; mayChange: boolean; onClaimed: () => Promise<void> }

function Connect({ orgId, mayChange, onClaimed }: ConnectProps) {
  const claiming = useAction(async (form: FormData) => {
    const { account } = await api.vcs.installations.claim({
      installationId: textOf(form, 'installationId').trim(),
    })
    await onClaimed()
    announce(t('{account} is connected.', { account }))
  })
  return (
    <>
      <ol class="connect-steps">
        <li>{t('Install our app on GitHub and choose the repositories to review.')}</li>
        <li>
          <Trans
            text="Add the file {file} with this text to the default branch of one repository. It proves that you own it."
            file={<code dir="ltr">.github/cowrie.json</code>}
          />
          <Copyable text={JSON.stringify({ org: orgId })} label={t('the proof')} />
        </li>
        <li>
          <Trans
            text="Open the app in your GitHub settings. Copy the number at the end of the address: {address}"
            address={<code dir="ltr">github.com/settings/installations/12345678</code>}
          />
        </li>
      </ol>
      {mayChange ? (
        <Form
          action={claiming}
          submit={t('Connect')}
          busy={t('Asking GitHub …')}
          fields={['installationId']}
          back="installationId"
        >
          <Field
            name="installationId"
            label={t('Installation number')}
            failure={claiming.failure.value}
            inputMode="numeric"
            dir="ltr"
            autocomplete="off"
            maxLength={16}
            required
          />
        </Form>
      ) : (
        <div class="choices">
          <button type="button" disabled aria-describedby="connect-barred">
            {t('Connect')}
          </button>
          <p id="connect-barred" class="help">
            {t('Only owners and administrators can connect an account.')}
          </p>
        </div>
      )}
    </>
  )
}
