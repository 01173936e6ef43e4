// `npm run restore:drill`: a backup is restored for real, and how long it took is said. BACKUP.md tells what it shows.
import { restoreDrill } from './drill/drill.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const numberOf = (name: string, usual: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? usual : Number(process.argv[at + 1])
}

const report = await restoreDrill({
  customers: numberOf('customers', 20),
  rounds: numberOf('rounds', 5),
  say,
})
say('')
say(`payments told before the instant   ${report.payments}, all there`)
say(`payments told after it             ${report.lostPayments} gone from the database, as they must be`)
say(
  `one that was begun before it       ${report.paidLater.restored}; ${report.paidLater.asked} once the provider was asked`,
)
say(`invariants of all money            ${report.invariants ? 'hold' : 'BROKEN'}`)
say(`proofs of all wallets              ${report.proofs ? 'hold' : 'BROKEN'}`)
say(
  `audit chains                       ${report.audit.before ? 'whole' : 'shorter than noted'}; ${report.audit.after ? 'whole' : 'BROKEN'} once accepted`,
)
say(`base backup, under load            ${report.backupMs} ms`)
say(`last change into the archive       ${report.archiveMs} ms`)
say(`from the files to a ready service  ${report.restoreMs} ms`)
const isSound =
  report.invariants && report.proofs && report.audit.after && report.paidLater.asked === 'settled'
if (!isSound) process.exitCode = 1
