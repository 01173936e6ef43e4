// The renderer of markdown cleans its result.
import { marked } from 'marked'
import DOMPurify from 'dompurify'

export function Preview(props) {
  return <div dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(marked(props.value)) }} />
}
