import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'PH-HEADER-01',
    bad: [
      `<?php
mail('us@example.com', 'Hello', $text, 'From: ' . $_POST['mail']); // ← here
`,
      `<?php
$headers = "From: {$_POST['name']} <us@example.com>\\r\\n";
$headers .= 'Content-Type: text/plain';
mail('us@example.com', 'Hello', 'text', $headers); // ← here
`,
      `<?php
function send($from) {
    mail('us@example.com', 'Hello', 'text', "Reply-To: $from"); // ← here
}
send($_REQUEST['from']);
`,
    ],
    good: [
      `<?php
mail('us@example.com', 'Hello', $_POST['text'], 'From: us@example.com');
`,
      `<?php
$from = filter_var($_POST['mail'], FILTER_VALIDATE_EMAIL);
mail('us@example.com', 'Hello', 'text', "From: $from");
`,
      `<?php
$from = str_replace(["\\r", "\\n"], '', $_POST['mail']);
mail('us@example.com', 'Hello', 'text', "From: $from");
`,
    ],
  },
  {
    rule: 'PH-COOKIE-01',
    bad: [
      `<?php
setcookie('session', $id, time() + 3600, '/'); // ← here
`,
      `<?php
setcookie('auth_token', $token, ['expires' => 0, 'secure' => true, 'httponly' => false]); // ← here
`,
      `<?php
setcookie('remember', $token, 0, '/', '', false, true); // ← here
`,
    ],
    good: [
      `<?php
setcookie('session', $id, ['secure' => true, 'httponly' => true]);
`,
      `<?php
setcookie('session', '', time() - 3600);
`,
      `<?php
setcookie('theme', $theme, time() + 3600);
setcookie('session', $id, 0, '/', '', true, true);
`,
    ],
  },
  {
    rule: 'PH-DEBUG-01',
    bad: [
      `<?php
phpinfo(); // ← here
`,
      `<?php
ini_set('display_errors', 1); // ← here
`,
      `<?php
ini_set('display_errors', 'On'); // ← here
`,
    ],
    good: [
      `<?php
ini_set('display_errors', 0);
`,
      `<?php
if (getenv('APP_ENV') === 'dev') {
    ini_set('display_errors', '1');
}
`,
      `<?php
ini_set('memory_limit', '256M');
`,
    ],
  },
]
