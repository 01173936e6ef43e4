// Highlighted pieces of code.
import type { Piece } from './highlight.ts'

export const Shaded = ({ pieces }: { pieces: readonly Piece[] }) => (
  <>
    {pieces.map(({ shade, text }, at) =>
      shade ? (
        <span key={at} class={`shade-${shade}`}>
          {text}
        </span>
      ) : (
        text
      ),
    )}
  </>
)
