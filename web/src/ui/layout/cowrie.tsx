// The mark: a cowrie shell. One drawing in four sizes; the smallest has no teeth.
//
//   <Cowrie size={24} />            <Cowrie size={48} opening />  (loading: the shell opens and closes)

type Props = { size?: 16 | 24 | 48 | 96; opening?: boolean }

export const Cowrie = ({ size = 24, opening = false }: Props) => (
  <svg
    class={opening ? 'cowrie opening' : 'cowrie'}
    viewBox="0 0 32 32"
    width={size}
    height={size}
    aria-hidden="true"
  >
    <path d="M16.5 1.5c8 0 11.5 7 11.5 14.2S23.5 30.5 16 30.5 4 23.2 4 15.7 8.5 1.5 16.5 1.5Z" />
    <g>
      <path class="lips" d="M17.3 5c-3.8 5-4 16.5-1 22 3.6-5.5 4.2-16.5 1-22Z" />
      {size > 16 && (
        <path
          class="teeth"
          d="M10.8 11.2l4 .6M10.3 15.2h4M10.6 19.2l3.7-.4M11.7 23l3-.9M22 10.5l-3.3.8M22.7 14.5l-3.3.3M22.5 18.5h-3.2M21.5 22.3l-2.7-.5"
        />
      )}
    </g>
  </svg>
)

/** For a wait whose result has no known shape. */
export const Opening = ({ text }: { text: string }) => (
  <div class="opening-place" role="status" aria-busy="true">
    <Cowrie size={48} opening />
    <p>{text}</p>
  </div>
)
