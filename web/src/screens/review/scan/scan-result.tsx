// The result of a scan by file and line, and as SARIF.
import type { ReviewScanBody, ScanFinding, ScanReport } from '@cowrie/sdk'
import type { RefObject } from 'preact'
import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { t, tn } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { saveFile } from '../../../ui/base/save-file.ts'
import { SkippedFiles } from '../../../ui/files/skipped-files.tsx'
import { FindingBody, FindingChips } from '../findings/finding-body.tsx'

export type Scan = { body: ReviewScanBody; report: ScanReport }

const SARIF = 'application/sarif+json'

export function ScanResult({
  scan: { body, report },
  heading,
}: {
  scan: Scan
  heading: RefObject<HTMLHeadingElement | null>
}) {
  const { findings, skipped, suppressed, partial, summary } = report
  const saving = useAction(async () => {
    const answer = await api.request('POST', '/review/scan', { body, headers: { accept: SARIF } })
    saveFile('cowrie.sarif', [answer.text()], SARIF)
  })
  const texts = new Map(body.files?.map(({ path, content }) => [path, content]))
  return (
    <section class="part" aria-labelledby="scanned">
      <h2 id="scanned" ref={heading} tabIndex={-1}>
        {findings.length === 0 ? t('Nothing found') : tn(findings.length, '{n} finding', '{n} findings')}
      </h2>
      <p class="help">
        {tn(summary.files, '{n} file scanned.', '{n} files scanned.')}{' '}
        {tn(summary.lines, '{n} line in all.', '{n} lines in all.')}{' '}
        {findings.length === 0 && t('Rules do not find every problem.')}
      </p>
      {summary.omitted > 0 && (
        <p class="bad">
          {tn(
            summary.omitted,
            '{n} more was found and is not shown.',
            '{n} more were found and are not shown.',
          )}
        </p>
      )}
      <div class="choices">
        <button type="button" aria-disabled={saving.busy.value} onClick={() => void saving.run()}>
          {t('Download SARIF')}
        </button>
      </div>
      {saving.failure.value && <ErrorNotice failure={saving.failure.value} />}
      {byPath(findings).map(([path, found]) => (
        <section key={path} class="scanned-file" aria-label={path}>
          <h3>
            <bdi dir="ltr">{path}</bdi>
          </h3>
          {found.map((finding) => (
            <article key={finding.fingerprint + finding.line} class="finding card">
              <header>
                <h4 dir="auto">{finding.title}</h4>
                <bdi dir="ltr">{t('line {line}', { line: finding.line })}</bdi>
              </header>
              <p class="finding-about">
                <FindingChips finding={finding} />
              </p>
              <FindingBody finding={finding} text={texts.get(path)} />
            </article>
          ))}
        </section>
      ))}
      {partial.length > 0 && (
        <p class="help">
          {t('The diff shows only part of these files; findings may be missing:')}{' '}
          <bdi dir="ltr">{partial.join(', ')}</bdi>
        </p>
      )}
      {suppressed.length > 0 && (
        <SkippedFiles
          files={suppressed.map(({ path, line, ruleId, reason }) => ({
            path: `${path}:${line} ${ruleId}`,
            reason,
          }))}
          title={tn(suppressed.length, '{n} is suppressed by a comment', '{n} are suppressed by a comment')}
          reasonOf={(reason) => reason}
        />
      )}
      <SkippedFiles
        files={skipped}
        title={tn(skipped.length, '{n} file not reviewed', '{n} files not reviewed')}
        reasonOf={(reason) => reason.replaceAll('_', ' ')}
      />
    </section>
  )
}

function byPath(findings: readonly ScanFinding[]): [string, ScanFinding[]][] {
  const files = new Map<string, ScanFinding[]>()
  for (const finding of findings) files.set(finding.path, [...(files.get(finding.path) ?? []), finding])
  return [...files]
}
