// Kenya: eTIMS of the Revenue Authority (KRA), with an online sales control unit (OSCU).
import { z } from 'zod'
import { toJson } from '../../../kernel/json.ts'
import type { Variables } from '../../../platform/environment/environment.ts'
import { type EInvoiceAuthority, EInvoiceConfigurationError, type OpenAuthority } from '../authority.ts'
import { type AuthorityHttp, type AuthorityReply, failureOf, JSON_BODY, parsed, unreadable } from '../http.ts'
import { type AcceptedOutcome, rejected, type SubmitOutcome, unknown } from '../outcome.ts'
import { amount, localTime, percent, type TaxDocument, type TaxLine, unitsOf } from '../tax-document.ts'

const NEEDS = [
  'ETIMS_PIN',
  'ETIMS_BRANCH',
  'ETIMS_SDC_ID',
  'ETIMS_CMC_KEY',
  'ETIMS_ITEM_CODE',
  'ETIMS_ITEM_CLASS',
] as const

export const etims: EInvoiceAuthority = {
  name: 'etims',
  label: 'KRA eTIMS',
  country: 'KE',
  currency: 'KES',
  needs: NEEDS,
  open: openEtims,
}

type Keys = Readonly<Record<(typeof NEEDS)[number] | 'ETIMS_BASE_URL' | 'ETIMS_PORTAL_URL', string>>

export const ETIMS_BASE_URL = 'https://etims-api.kra.go.ke/etims-api'
const PORTAL_URL = 'https://etims.kra.go.ke'
const PIN = /^[AP]\d{9}[A-Z]$/

function openEtims(variables: Variables): OpenAuthority {
  const keys = { ETIMS_BASE_URL, ETIMS_PORTAL_URL: PORTAL_URL, ...variables } as Keys
  if (!PIN.test(keys.ETIMS_PIN))
    throw new EInvoiceConfigurationError(['ETIMS_PIN must look like P051234567X.'])
  const device = { tin: keys.ETIMS_PIN, bhfId: keys.ETIMS_BRANCH, cmcKey: keys.ETIMS_CMC_KEY }
  const call = (http: AuthorityHttp, path: string, body: object) =>
    http.call(`${keys.ETIMS_BASE_URL.replace(/\/+$/, '')}${path}`, {
      method: 'POST',
      headers: { ...JSON_BODY, ...device },
      body: toJson({ ...device, ...body }),
    })

  return {
    async submit(http, document) {
      const reply = await call(http, '/saveTrnsSalesOsdc', saleOf(document, keys))
      const result = resultIn(reply)
      if ('outcome' in result) return result
      if (SUCCESS.has(result.code)) return signatureIn(reply, keys) ?? unreadable(reply)
      if (result.code === DUPLICATE) return { outcome: 'duplicate' }
      return refusalOf(result)
    },
    async check(http, document) {
      // Asks for one invoice; `lastReqDt` lies before every invoice.
      const asked = { invcNo: document.serial, lastReqDt: '20200101000000' }
      const reply = await call(http, '/selectInvoiceDtl', asked)
      const result = resultIn(reply)
      if ('outcome' in result) return result
      if (result.code === NO_RESULT) return { outcome: 'absent' }
      if (SUCCESS.has(result.code)) return signatureIn(reply, keys) ?? unreadable(reply)
      return unknown(`eTIMS answered ${result.code}: ${result.message}`)
    },
  }
}

const SUCCESS: ReadonlySet<string> = new Set(['0', '00', '000', '0000'])
const NO_RESULT = '001'
const DUPLICATE = '994'
/** Missing headers, an unknown or another device. */
const KEYS_REFUSED: ReadonlySet<string> = new Set(['900', '901', '902', '903', '905'])
/** Faults of the service and its connections. 899 has no reason, and may stand for a duplicate. */
const FAULTS: ReadonlySet<string> = new Set([
  ...['891', '892', '893', '894', '895', '896', '899'],
  ...['990', '991', '992', '993', '995', '999'],
])

const Result = z.object({ resultCd: z.string(), resultMsg: z.string().catch('') })

type ResultCode = { readonly code: string; readonly message: string }

function resultIn(reply: AuthorityReply): ResultCode | ReturnType<typeof unknown> {
  const failure = failureOf(reply)
  if (failure) return failure
  const result = parsed(Result, reply)
  return result ? { code: result.resultCd, message: result.resultMsg } : unreadable(reply)
}

function refusalOf({ code, message }: ResultCode): SubmitOutcome {
  const words = `eTIMS answered ${code}: ${message}`
  if (KEYS_REFUSED.has(code)) return unknown(words, false)
  return FAULTS.has(code) ? unknown(words) : rejected([words])
}

const TEXT = z.union([z.string(), z.number()]).transform(String)
const Signed = z.object({
  data: z
    .record(z.string(), z.unknown())
    // The published samples have spaces after some names.
    .transform((data) =>
      Object.fromEntries(Object.entries(data).map(([name, value]) => [name.trim(), value])),
    )
    .pipe(
      z.object({
        curRcptNo: TEXT,
        totRcptNo: TEXT,
        intrlData: z.string().min(1),
        rcptSign: z.string().min(1),
        sdcDateTime: TEXT,
      }),
    ),
})

function signatureIn(reply: AuthorityReply, keys: Keys): AcceptedOutcome | null {
  const signed = parsed(Signed, reply)
  if (!signed) return null
  const { curRcptNo, rcptSign } = signed.data
  const shown = `${keys.ETIMS_PIN}${keys.ETIMS_BRANCH}${rcptSign}`
  return {
    outcome: 'accepted',
    id: `${keys.ETIMS_SDC_ID}/${curRcptNo}`,
    qr: `${keys.ETIMS_PORTAL_URL}/common/link/etims/receipt/indexEtimsReceiptData?Data=${shown}`,
    stamp: signed.data,
  }
}

/** The tax types: A exempt, B 16 %, C zero, D outside VAT, E 8 %. */
const TYPES = ['A', 'B', 'C', 'D', 'E'] as const

function saleOf(document: TaxDocument, keys: Keys): object {
  const { kind, serial, number, original, buyer, seller, currency, taxes, lines } = document
  const { totalMinor, taxMinor } = document
  const money = (minor: bigint) => amount(minor, currency)
  const type = taxes.length > 0 ? 'B' : 'D'
  const ofType = <T>(name: string, used: T, other: T) =>
    Object.fromEntries(TYPES.map((each) => [`${name}${each}`, each === type ? used : other]))
  const stamp = stampOf(document.issuedAt)
  const pin = buyer.taxId !== null && PIN.test(buyer.taxId) ? buyer.taxId : null
  const clerk = { regrId: 'cowrie', regrNm: 'Cowrie', modrId: 'cowrie', modrNm: 'Cowrie' }
  return {
    trdInvcNo: number,
    invcNo: serial,
    orgInvcNo: original?.serial ?? 0,
    custTin: pin,
    custNm: buyer.name.slice(0, 60),
    salesTyCd: 'N',
    rcptTyCd: kind === 'invoice' ? 'S' : 'R',
    pmtTyCd: paymentTypeOf(document.method),
    salesSttsCd: '02',
    cfmDt: stamp,
    salesDt: stamp.slice(0, 8),
    stockRlsDt: null,
    cnclReqDt: null,
    cnclDt: null,
    rfdDt: kind === 'credit_note' ? stamp : null,
    rfdRsnCd: kind === 'credit_note' ? REFUND : null,
    totItemCnt: lines.length,
    ...ofType('taxblAmt', money(totalMinor), money(0n)),
    ...ofType('taxRt', percent(taxes[0]?.rateBps ?? 0), percent(0)),
    ...ofType('taxAmt', money(taxMinor), money(0n)),
    totTaxblAmt: money(totalMinor),
    totTaxAmt: money(taxMinor),
    totAmt: money(totalMinor),
    prchrAcptcYn: 'N',
    remark: null,
    ...clerk,
    receipt: {
      custTin: pin,
      custMblNo: null,
      rcptPbctDt: stamp,
      trdeNm: seller.name.slice(0, 20),
      adrs: seller.address?.replaceAll('\n', ', ').slice(0, 200) ?? null,
      topMsg: null,
      btmMsg: null,
      prchrAcptcYn: 'N',
    },
    itemList: lines.map((line, at) => itemOf(line, at + 1, type, money, keys)),
  }
}

/** Prices include tax, and so does the taxable amount, as in the samples of the authority. */
function itemOf(
  { description, quantity, grossMinor, taxesMinor }: TaxLine,
  itemSeq: number,
  type: 'B' | 'D',
  money: (minor: bigint) => object,
  keys: Keys,
): object {
  const units = unitsOf(grossMinor, quantity)
  return {
    itemSeq,
    itemCd: keys.ETIMS_ITEM_CODE,
    itemClsCd: keys.ETIMS_ITEM_CLASS,
    itemNm: description,
    bcd: null,
    pkgUnitCd: 'NT',
    pkg: units.quantity,
    qtyUnitCd: 'U',
    qty: units.quantity,
    prc: money(units.unitMinor),
    splyAmt: money(grossMinor),
    dcRt: 0,
    dcAmt: 0,
    isrccCd: null,
    isrccNm: null,
    isrcRt: null,
    isrcAmt: null,
    taxTyCd: type,
    taxblAmt: money(grossMinor),
    taxAmt: money(taxesMinor.reduce((sum, minor) => sum + minor, 0n)),
    totAmt: money(grossMinor),
  }
}

/** The code list calls it "refund". */
const REFUND = '06'

/** 05 cards, 06 mobile money, 07 other. */
function paymentTypeOf(method: string | null): string {
  if (/m-?pesa|mobile|momo|airtel/i.test(method ?? '')) return '06'
  return /card|visa|master|verve|ending in/i.test(method ?? '') ? '05' : '07'
}

/** `20261115130000` in Kenyan time. */
const stampOf = (at: Date): string => {
  const { date, time } = localTime(at, 'Africa/Nairobi')
  return `${date}${time}`.replaceAll(/\D/g, '')
}
