// `node scripts/run.mjs server/src/invoices/einvoices/authorities/etims-device.ts PIN BRANCH SERIAL [BASE_URL]` initialises the
// control unit of Kenya's eTIMS and prints its variables. The authority gives the key out once, so no service start does it.
import { z } from 'zod'
import { ETIMS_BASE_URL } from './etims.ts'

const Device = z.object({
  data: z.object({
    info: z.object({
      cmcKey: z.string().min(1),
      sdcId: z.string().optional(),
      sdicId: z.string().optional(),
    }),
  }),
})
const Refusal = z.object({ resultCd: z.string(), resultMsg: z.string() })

export async function initialiseDevice([
  pin = '',
  branch = '',
  serial = '',
  baseUrl = ETIMS_BASE_URL,
]: readonly string[]): Promise<{ readonly lines: readonly string[] } | { readonly problem: string }> {
  if (!pin || !branch || !serial)
    return { problem: 'PIN, branch and serial number of the device are required.' }
  const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/selectInitOsdcInfo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tin: pin, bhfId: branch, dvcSrlNo: serial }),
    signal: AbortSignal.timeout(30_000),
  })
  const json: unknown = await response.json().catch(() => null)
  const device = Device.safeParse(json).data?.data.info
  if (device)
    return {
      lines: [
        `ETIMS_PIN=${pin}`,
        `ETIMS_BRANCH=${branch}`,
        `ETIMS_SDC_ID=${device.sdcId ?? device.sdicId ?? ''}`,
        `ETIMS_CMC_KEY=${device.cmcKey}`,
      ],
    }
  const refusal = Refusal.safeParse(json).data
  if (refusal?.resultCd === '902')
    return {
      problem:
        'The device is already initialised. Its key is given out once: use the stored key, or ask KRA.',
    }
  return {
    problem: refusal
      ? `eTIMS answered ${refusal.resultCd}: ${refusal.resultMsg}`
      : `eTIMS answered with status ${response.status}.`,
  }
}

if (import.meta.main) {
  const result = await initialiseDevice(process.argv.slice(2))
  if ('problem' in result) {
    process.stderr.write(`${result.problem}\n`)
    process.exitCode = 1
  } else process.stdout.write(result.lines.map((line) => `${line}\n`).join(''))
}
