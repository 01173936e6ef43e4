// Registration: email, password, and the country, which sets the currency of the wallet.
import { type Signal, useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { authConfig } from '../../data/service-info.ts'
import { useAction } from '../../data/use-action.ts'
import { locale } from '../../i18n/language.ts'
import { currencyName } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { appLocation } from '../../router/location.ts'
import { withNext } from '../../router/return-address.ts'
import { Page } from '../../ui/base/sheet.tsx'
import { EmailField, emailOf } from '../../ui/form/email-field.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'
import { NewPassword } from '../../ui/input/password-field.tsx'
import { CURRENCY_OF, countries, likelyCountry } from '../../ui/money/countries.ts'
import { goToMail } from './check-mail.tsx'
import { GithubSignIn } from './other-ways.tsx'
import { RegistrationClosed } from './registration-closed.tsx'
import { SiteLinks } from './site-links.tsx'

export default function Register() {
  const config = authConfig.current.value
  const closed = config.state === 'ready' && !config.value.signupsEnabled
  // The front page names the country whose prices the person has seen.
  const seen = appLocation.peek().query.get('country') ?? ''
  const country = useSignal(Object.hasOwn(CURRENCY_OF, seen) ? seen : likelyCountry(navigator.languages))
  return (
    <Page title={t('Create an account')} width="narrow">
      {closed ? (
        <RegistrationClosed />
      ) : (
        <>
          <GithubSignIn country={country.value} />
          <Questions country={country} />
        </>
      )}
      <p class="onward">
        <Trans text="Have an account? {link}" link={<a href={withNext('/app/sign-in')}>{t('Sign in')}</a>} />
      </p>
      <SiteLinks />
    </Page>
  )
}

function Questions({ country }: { country: Signal<string> }) {
  const action = useAction(register)
  const failure = action.failure.value
  return (
    <Form
      action={action}
      submit={t('Create account')}
      busy={t('Creating account …')}
      fields={['email', 'password', 'name']}
      back="password"
      quiet={['weak_password']}
    >
      <EmailField failure={failure} />
      <NewPassword failure={failure} />
      <Field
        name="name"
        label={t('Your name (optional)')}
        autocomplete="name"
        maxLength={100}
        dir="auto"
        failure={failure}
      />
      <Country chosen={country} />
    </Form>
  )
}

function Country({ chosen }: { chosen: Signal<string> }) {
  const currency = CURRENCY_OF[chosen.value] ?? ''
  return (
    <div class="field">
      <label for="country">{t('Country')}</label>
      <select
        id="country"
        name="country"
        autocomplete="country"
        aria-describedby="country-help"
        value={chosen.value}
        onChange={(event) => {
          chosen.value = event.currentTarget.value
        }}
      >
        {countries(locale()).map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      <p id="country-help" class="help">
        {t('Your wallet will be in {name} ({code}).', {
          name: currencyName({ code: currency }),
          code: currency,
        })}
      </p>
    </div>
  )
}

async function register(form: FormData): Promise<void> {
  const email = emailOf(form)
  const name = textOf(form, 'name').trim()
  await api.auth.register({
    email,
    password: textOf(form, 'password'),
    currency: CURRENCY_OF[textOf(form, 'country')],
    ...(name && { name }),
  })
  goToMail({ email, about: 'verify' })
}
