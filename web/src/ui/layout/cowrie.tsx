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
      <path class="lips" d="M16.8 4.5c-5.2 6-5.2 17-.8 23 5.2-6 5.6-17 .8-23Z" />
      {size > 16 && (
        <path
          class="teeth"
          d="M12.9 10.5h2.3M12.3 14h2.4M12.2 17.5h2.3M12.7 21h2.3M20.2 10.5h-2M20.6 14h-2.2M20.4 17.5h-2.2M19.5 21h-2.1"
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
