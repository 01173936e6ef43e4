// `npm run restore:drill`: restores a real backup and prints the durations. BACKUP.md describes it.
import { restoreDrill } from './drill/drill.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const numberOption = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}

const report = await restoreDrill({
  customers: numberOption('customers', 20),
  rounds: numberOption('rounds', 5),
  print,
})
print('')
print(`payments settled before the instant ${report.payments}, all restored`)
print(`payments settled after it           ${report.lostPayments} missing, as expected`)
print(
  `started before and paid after it    ${report.paidLater.restored}; ${report.paidLater.checked} after a status check`,
)
print(`ledger invariants                   ${report.invariants ? 'hold' : 'BROKEN'}`)
print(`wallet proofs                       ${report.proofs ? 'hold' : 'BROKEN'}`)
print(
  `audit chains                        ${report.audit.before ? 'intact' : 'shorter than their anchors'}; ${report.audit.after ? 'intact' : 'BROKEN'} after acceptance`,
)
print(
  `objects in the storage              differences: ${report.objects.restored.join(', ')}; ${report.objects.remedied} after their remedies`,
)
print(`base backup under load              ${report.backupMs} ms`)
print(`last change archived                ${report.archiveMs} ms`)
print(`files to ready service              ${report.restoreMs} ms`)
const hasPassed =
  report.invariants &&
  report.proofs &&
  report.audit.after &&
  report.paidLater.checked === 'settled' &&
  report.objects.remedied === 0
if (!hasPassed) process.exitCode = 1
