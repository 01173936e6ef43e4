// Untrusted text with inline code and bold text formatted. Nothing else is interpreted.
import { piecesOf, strongIn } from './code-spans.ts'

export const TextWithCode = ({ text, isModel = false }: { text: string; isModel?: boolean }) => (
  <>
    {piecesOf(text).map((piece, at) =>
      piece.isCode ? (
        <code key={at} class="coded" dir="ltr">
          {piece.text}
        </code>
      ) : isModel ? (
        strongIn(piece.text).map((part) => (part.isStrong ? <strong>{part.text}</strong> : part.text))
      ) : (
        piece.text
      ),
    )}
  </>
)
