import { Sheet } from './sheet.tsx'

const NotFound = () => (
  <Sheet title="There is nothing here">
    <p>The address is wrong, or what was here has moved.</p>
    <p class="onward">
      <a href="/app">Go to the start</a>
    </p>
  </Sheet>
)

export default NotFound
