// A switch with an explanation.

type Props = { name: string; label: string; help: string; on: boolean; onSwitch: (on: boolean) => void }

export const Switch = ({ name, label, help, on, onSwitch }: Props) => (
  <div class="switch">
    <label class="tick">
      <input
        type="checkbox"
        name={name}
        checked={on}
        aria-describedby={`${name}-help`}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
    <p id={`${name}-help`} class="help">
      {help}
    </p>
  </div>
)
