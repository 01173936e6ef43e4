// Added and removed lines.
import { tn } from '../../i18n/t.ts'

export const Counts = ({ added, removed }: { added: number; removed: number }) => (
  <bdi dir="ltr" class="diff-counts">
    <span class="unseen">
      {tn(added, '{n} line added', '{n} lines added')}, {tn(removed, '{n} line removed', '{n} lines removed')}
    </span>
    <span aria-hidden="true" class="came">
      +{added}
    </span>{' '}
    <span aria-hidden="true" class="went">
      −{removed}
    </span>
  </bdi>
)
