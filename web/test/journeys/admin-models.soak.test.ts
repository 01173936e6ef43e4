// The staff console: providers and models, their permissions, and the models that an organisation may use.
import { beforeAll, expect, test } from 'vitest'
import { startApp } from '../app.ts'
import { PATIENT } from '../browser.ts'
import { enterAt } from '../people.ts'
import { startAtLocalhost } from '../service.ts'
import { DESKTOP, isFine, PHONE } from './journey.ts'

const app = startApp(startAtLocalhost)
const ADMIN = 'ada@models.example.com'
const OPERATOR = 'ope@models.example.com'
const PROVIDER_KEY = 'a-key-of-the-provider-4321'

beforeAll(async () => {
  await app.server.person({ email: ADMIN, staff: 'super_admin' })
  await app.server.person({ email: OPERATOR, staff: 'operator' })
})

test('a super admin adds a provider and a model, changes them, and removes them in the right order', async () => {
  const { page, faults } = await app.open(PHONE)
  await enterAt(page, '/app/ops/providers', ADMIN)
  await page.getByRole('button', { name: 'New provider' }).tap()
  const added = page.getByRole('dialog', { name: 'Add a provider' })
  await added.getByLabel('Name').fill('example')
  await added.getByLabel('Format').selectOption('Anthropic')
  await added.getByLabel('Address', { exact: true }).fill('http://127.0.0.1:9/v1')
  await added.getByLabel('Key', { exact: true }).fill(PROVIDER_KEY)
  await added.getByRole('button', { name: 'Add provider' }).tap()
  await added.getByText(/without the version/).waitFor()
  await added.getByLabel('Address', { exact: true }).fill('http://127.0.0.1:9')
  await isFine(page)
  await added.getByRole('button', { name: 'Add provider' }).tap()
  await page.getByText('Key …4321 · No region · Weight 100').waitFor()
  expect(await page.content()).not.toContain(PROVIDER_KEY)
  await page.getByRole('button', { name: 'Edit example' }).tap()
  const edited = page.getByRole('dialog', { name: 'Edit example' })
  await edited.getByLabel('Region').fill('eu-west')
  await edited.getByLabel('Weight').fill('50')
  await edited.getByRole('button', { name: 'Save' }).tap()
  await page.getByText('Key …4321 · Region eu-west · Weight 50').waitFor()
  await isFine(page)

  await page.goto('/app/ops/models')
  await page.getByText('No models yet').waitFor()
  await page.getByRole('button', { name: 'New model' }).tap()
  await page.getByLabel('ID', { exact: true }).fill('claude-example')
  await page.getByLabel('Title').fill('Claude Example')
  await page.getByLabel('Input', { exact: true }).fill('480000')
  await page.getByText('₦4,800.00').waitFor()
  await page.getByLabel('Output', { exact: true }).fill('24,000.00')
  await page.getByLabel('Model at the provider').fill('claude-example-latest')
  await page.getByRole('button', { name: 'Add route' }).tap()
  await page.getByLabel('Provider', { exact: true }).last().selectOption('example')
  await page.getByLabel('Model at the provider').last().fill('claude-example-2')
  await page.getByLabel('Priority').last().fill('1')
  await page.getByRole('combobox', { name: 'Aliases' }).fill('claude-example-*')
  await page.getByRole('button', { name: 'Save model' }).tap()
  await page.getByText('This must be a whole number of kobo.').waitFor()
  await page.getByLabel('Output', { exact: true }).fill('2400000')
  await isFine(page)
  await page.getByRole('button', { name: 'Save model' }).tap()
  for (const words of ['2 routes', 'Input ₦4,800.00', 'Output ₦24,000.00'])
    await page.getByText(words).waitFor()
  await page.getByText('claude-example, claude-example-*').waitFor()
  await isFine(page)

  await page.getByRole('button', { name: 'Actions for Claude Example' }).tap()
  await page.getByRole('button', { name: 'Disable' }).tap()
  await page.getByText('Disabled', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Actions for Claude Example' }).tap()
  await page.getByRole('button', { name: 'Enable' }).tap()
  await page.getByText('Disabled', { exact: true }).waitFor({ state: 'detached' })
  const lane = page.getByRole('region', { name: 'Lane open' })
  await lane.getByText('0 fallback routes').tap()
  await lane.getByRole('button', { name: 'Add route' }).tap()
  await lane.getByLabel('Provider', { exact: true }).selectOption('example')
  await lane.getByLabel('Model at the provider').fill('other-open')
  await lane.getByRole('button', { name: 'Save' }).tap()
  await lane.getByText('1 fallback route').waitFor()

  await page.goto('/app/ops/providers')
  await page.getByText('Used by claude-example, open').waitFor()
  await page.getByRole('button', { name: 'Actions for example' }).tap()
  await page.getByText('To delete it, remove its routes first.').waitFor()
  expect(await page.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
  await page.goto('/app/ops/models')
  await lane.getByText('1 fallback route').tap()
  await lane.getByRole('button', { name: 'Remove route 1' }).tap()
  await lane.getByRole('button', { name: 'Save' }).tap()
  await lane.getByText('0 fallback routes').waitFor()
  await page.getByRole('button', { name: 'Actions for Claude Example' }).tap()
  await page.getByRole('button', { name: 'Delete' }).tap()
  await page
    .getByRole('dialog', { name: 'Delete the model claude-example?' })
    .getByRole('button', { name: 'Delete' })
    .tap()
  await page.getByText('No models yet').waitFor()
  await page.goto('/app/ops/providers')
  await page.getByRole('button', { name: 'Actions for example' }).tap()
  await page.getByRole('button', { name: 'Delete' }).tap()
  await page
    .getByRole('dialog', { name: 'Delete the provider example?' })
    .getByRole('button', { name: 'Delete' })
    .tap()
  await expect.poll(() => page.locator('li.row').count(), PATIENT).toBe(1)
  expect(faults.filter((fault) => !/400/.test(fault))).toEqual([])
})

test('an operator edits a model without its price, and a policy limits the models of an organisation', async () => {
  await app.server.call('PUT', '/admin/models/claude-priced', {
    as: await app.server.person({ email: 'root@models.example.com', staff: 'super_admin' }),
    body: {
      lane: 'frontier',
      routes: [{ providerId: 'prv_default', upstreamModel: 'm' }],
      contextTokens: 1_000,
      outputTokens: 500,
      price: { input: 100, output: 200 },
    },
  })
  const customer = await app.server.person({ email: 'customer@models.example.com' })
  const { page, faults } = await app.open(DESKTOP)
  await enterAt(page, '/app/ops/providers', OPERATOR)
  await page.getByText('Needs super admin.').waitFor()
  expect(await page.getByRole('button', { name: 'New provider' }).isDisabled()).toBe(true)
  await page.goto('/app/ops/models')
  await page.getByRole('link', { name: 'Edit claude-priced' }).click()
  await page.getByText('Needs super admin.').waitFor()
  expect(await page.getByLabel('Input', { exact: true }).isDisabled()).toBe(true)
  await page.getByLabel('Title').fill('Priced')
  await page.getByRole('button', { name: 'Save model' }).click()
  await page.getByText('Priced', { exact: true }).waitFor()
  for (const price of ['₦1.00', '₦2.00']) await page.getByText(price, { exact: true }).waitFor()

  await page.goto(`/app/ops/orgs/${customer.orgId}`)
  await page.getByRole('tab', { name: 'Policy' }).click()
  await page.getByRole('combobox', { name: 'Allowed models' }).fill('claude-*')
  await page.getByRole('combobox', { name: 'Allowed models' }).press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The policy is saved.').first().waitFor()
  await isFine(page)
  await page.reload()
  await page.getByRole('tab', { name: 'Policy' }).click()
  await page.getByRole('button', { name: 'Remove claude-*' }).waitFor()
  const { body } = await app.server.call<{ data: { id: string }[] }>('GET', '/v1/models', { as: customer })
  expect(body.data.map(({ id }) => id)).toEqual(['claude-priced'])
  expect(faults).toEqual([])
})
