import { startFakeEtims } from '@cowrie/testkit/fakes/einvoices/etims.ts'
import { expect, test } from 'vitest'
import { initialiseDevice } from './etims-device.ts'

test('the key of a device is printed once, with the other variables', async () => {
  const etims = await startFakeEtims()
  const device = ['P051234567X', '00', 'dvcv1130', etims.server.url]
  const { ETIMS_SDC_ID, ETIMS_CMC_KEY } = etims.variables
  expect(await initialiseDevice(device)).toEqual({
    lines: [
      'ETIMS_PIN=P051234567X',
      'ETIMS_BRANCH=00',
      `ETIMS_SDC_ID=${ETIMS_SDC_ID}`,
      `ETIMS_CMC_KEY=${ETIMS_CMC_KEY}`,
    ],
  })
  expect(await initialiseDevice(device)).toEqual({ problem: expect.stringContaining('already initialised') })
  expect(await initialiseDevice(['P051234567X', '00', 'other', etims.server.url])).toEqual({
    problem: 'eTIMS answered 901: It is not valid device',
  })
  expect(await initialiseDevice(['P051234567X'])).toEqual({
    problem: expect.stringContaining('are required'),
  })
  await etims.server.close()
})
