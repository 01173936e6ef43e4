// A fake of Kenya's eTIMS with an online control unit: every answer has status 200 and a result code.
import { z } from 'zod'
import type { FakeReply, FakeRequest } from '../payments/loopback-server.ts'
import {
  cents,
  type FakeAuthority,
  type RegisteredDocument,
  reply,
  startAuthorityServer,
  sumOf,
} from './fake-authority.ts'

const DEVICE = { tin: 'P051234567X', bhfId: '00', cmcKey: 'cmc-key' }
const SERIAL = 'dvcv1130'
const registers = ({ path }: FakeRequest): boolean => path === '/saveTrnsSalesOsdc'

export async function startFakeEtims(): Promise<FakeAuthority> {
  const sales: (RegisteredDocument & { invcNo: number; data: object })[] = []
  let isInitialised = false

  const dataOf = (receipt: number) => ({
    // The published samples have a space after these names.
    'curRcptNo ': String(receipt),
    'totRcptNo ': String(receipt),
    intrlData: 'EAHSAV6ECUUXSY6PCCJYAUP6MI',
    rcptSign: `QUII27MATATSHF${String(receipt).padStart(2, '0')}`,
    sdcDateTime: '20261115150000',
  })

  function save(raw: string): FakeReply {
    const sale = Sale.safeParse(JSON.parse(raw))
    if (!sale.success)
      return result('910', `Request parameter error [${sale.error.issues[0]?.path.join('.')}]`)
    if (fake.rejects)
      return result('913', 'Code value error among request parameters [<itemList><itemClsCd>]')
    if (sales.some(({ invcNo }) => invcNo === sale.data.invcNo))
      return result('994', 'There is an overlapped Data')
    const problem = problemIn(sale.data)
    if (problem) return result('910', problem)
    if (sale.data.rcptTyCd === 'R' && !sales.some(({ invcNo }) => invcNo === sale.data.orgInvcNo))
      return result('910', 'Request parameter error [orgInvcNo]')
    const data = dataOf(sales.length + 1)
    sales.push({ invcNo: sale.data.invcNo, key: sale.data.trdInvcNo, body: JSON.parse(raw), data })
    return result('000', 'It is succeeded', data)
  }

  function initialise(raw: string): FakeReply {
    const { dvcSrlNo } = JSON.parse(raw) as { dvcSrlNo: string }
    if (dvcSrlNo !== SERIAL) return result('901', 'It is not valid device')
    // The key is given out once.
    if (isInitialised) return result('902', 'This device is installed')
    isInitialised = true
    return result('000', 'It is succeeded', {
      info: { ...DEVICE, sdcId: 'KRACU0100000001', mrcNo: 'WIS01000001' },
    })
  }

  function handle({ path, headers, raw }: FakeRequest): FakeReply {
    if (path === '/selectInitOsdcInfo') return initialise(raw)
    const body = JSON.parse(raw) as Record<string, unknown>
    for (const [name, value] of Object.entries(DEVICE)) {
      if (headers[name.toLowerCase()] === undefined || body[name] === undefined)
        return result('900', 'There is no Header information')
      if (!fake.keysWork || headers[name.toLowerCase()] !== value || body[name] !== value)
        return result('901', 'It is not valid device')
    }
    if (path === '/saveTrnsSalesOsdc') return save(raw)
    if (path !== '/selectInvoiceDtl') return reply(404, { fault: 'no such path' })
    const found = sales.find(({ invcNo }) => invcNo === body.invcNo)
    return found ? result('000', 'It is succeeded', found.data) : result('001', 'There is no search result')
  }

  const server = await startAuthorityServer(handle, registers)
  const fake: FakeAuthority = {
    name: 'etims',
    server,
    country: 'KE',
    currency: 'KES',
    variables: {
      SERVICE_SELLER_COUNTRY: 'KE',
      ETIMS_BASE_URL: server.url,
      ETIMS_PIN: DEVICE.tin,
      ETIMS_BRANCH: DEVICE.bhfId,
      ETIMS_SDC_ID: 'KRACU0100000001',
      ETIMS_CMC_KEY: DEVICE.cmcKey,
      ETIMS_ITEM_CODE: 'KE3NTU0000001',
      ETIMS_ITEM_CLASS: '8111150000',
    },
    documents: sales,
    rejects: false,
    keysWork: true,
    occupy({ key, serial }: { key: string; serial: bigint }) {
      sales.push({ invcNo: Number(serial), key, body: null, data: dataOf(sales.length + 1) })
    },
    decide() {},
  }
  return fake
}

const result = (resultCd: string, resultMsg: string, data: object | null = null): FakeReply =>
  reply(200, { resultCd, resultMsg, resultDt: '20261115150000', data })

const text = (most: number) => z.string().max(most).nullable()
const amount = z.number().min(0)
const stamp = z.string().regex(/^\d{14}$/)
const types = <T extends z.ZodType>(name: string, shape: T) =>
  Object.fromEntries(['A', 'B', 'C', 'D', 'E'].map((type) => [`${name}${type}`, shape]))
const Item = z.strictObject({
  itemSeq: z.int().min(1),
  itemCd: z.string().min(1).max(20),
  itemClsCd: z.string().min(1).max(10),
  itemNm: z.string().min(1).max(200),
  bcd: text(20),
  pkgUnitCd: z.literal('NT'),
  pkg: amount,
  qtyUnitCd: z.literal('U'),
  qty: amount,
  prc: amount,
  splyAmt: amount,
  dcRt: amount,
  dcAmt: amount,
  isrccCd: text(10),
  isrccNm: text(100),
  isrcRt: z.null(),
  isrcAmt: z.null(),
  taxTyCd: z.enum(['B', 'D']),
  taxblAmt: amount,
  taxAmt: amount,
  totAmt: amount,
})
const Sale = z.strictObject({
  tin: z.string(),
  bhfId: z.string(),
  cmcKey: z.string(),
  trdInvcNo: z.string().min(1).max(50),
  invcNo: z.int().min(1),
  orgInvcNo: z.int().min(0),
  custTin: z.string().length(11).nullable(),
  custNm: text(60),
  salesTyCd: z.literal('N'),
  rcptTyCd: z.enum(['S', 'R']),
  pmtTyCd: z.enum(['05', '06', '07']),
  salesSttsCd: z.literal('02'),
  cfmDt: stamp,
  salesDt: z.string().regex(/^\d{8}$/),
  stockRlsDt: z.null(),
  cnclReqDt: z.null(),
  cnclDt: z.null(),
  rfdDt: stamp.nullable(),
  rfdRsnCd: text(5),
  totItemCnt: z.int(),
  ...types('taxblAmt', amount),
  ...types('taxRt', amount),
  ...types('taxAmt', amount),
  totTaxblAmt: amount,
  totTaxAmt: amount,
  totAmt: amount,
  prchrAcptcYn: z.literal('N'),
  remark: text(400),
  regrId: z.string().max(20),
  regrNm: z.string().max(60),
  modrId: z.string().max(20),
  modrNm: z.string().max(60),
  receipt: z.strictObject({
    custTin: z.string().length(11).nullable(),
    custMblNo: text(20),
    rcptPbctDt: stamp,
    trdeNm: text(20),
    adrs: text(200),
    topMsg: text(20),
    btmMsg: text(20),
    prchrAcptcYn: z.literal('N'),
  }),
  itemList: z.array(Item).min(1),
})

function problemIn({ itemList, totItemCnt, totTaxAmt, totAmt }: z.output<typeof Sale>): string | null {
  if (totItemCnt !== itemList.length) return 'Request parameter error [totItemCnt]'
  if (itemList.some(({ prc, qty, splyAmt }) => cents(prc) * qty !== cents(splyAmt)))
    return 'Request parameter error [splyAmt]'
  if (sumOf(itemList.map((item) => item.totAmt)) !== cents(totAmt)) return 'Request parameter error [totAmt]'
  if (sumOf(itemList.map((item) => item.taxAmt)) !== cents(totTaxAmt))
    return 'Request parameter error [totTaxAmt]'
  return null
}
